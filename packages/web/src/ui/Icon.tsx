/** Outlines in a square of 24. */
const outlines = {
  film: "M4 5h16v14H4zM8 5v14M16 5v14M4 9.5h4M4 14.5h4M16 9.5h4M16 14.5h4",
  live: "M12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7.8 16.2a6 6 0 0 1 0-8.4M16.2 7.8a6 6 0 0 1 0 8.4M5 19a10 10 0 0 1 0-14M19 5a10 10 0 0 1 0 14",
  upload: "M12 16V5m0 0L7.5 9.5M12 5l4.5 4.5M5 16v3h14v-3",
  download: "M12 5v11m0 0l-4.5-4.5M12 16l4.5-4.5M5 16v3h14v-3",
  swap: "M4 8h14m0 0l-4-4m4 4l-4 4M20 16H6m0 0l4-4m-4 4l4 4",
  user: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-7.5 8a7.5 7.5 0 0 1 15 0",
  globe: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18",
  list: "M4 6h16M4 12h16M4 18h10",
  bell: "M6 17V11a6 6 0 1 1 12 0v6l1.5 1.5h-15zM10 20.5a2 2 0 0 0 4 0",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zm5-2l4.5 4.5",
  check: "M5 12.5l4.5 4.5L19 7.5",
  dots: "M5 12h.01M12 12h.01M19 12h.01",
  up: "M12 19V5m0 0l-5 5m5-5l5 5",
  down: "M12 5v14m0 0l5-5m-5 5l-5-5",
  left: "M15 5l-7 7 7 7",
  right: "M9 5l7 7-7 7",
  warning: "M12 4L2.8 20h18.4zM12 10v4.5M12 17.2v.1",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-10v5M12 8v.1",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5",
  pencil: "M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19z",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  pause: "M9 6v12M15 6v12",
  play: "M8 5.5l11 6.5-11 6.5z",
  flag: "M6 21V4.5c4-2.5 8 2.5 12 0v9c-4 2.5-8-2.5-12 0",
  users:
    "M9 12a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zm-6.5 7.5a6.5 6.5 0 0 1 13 0M16 5.3a3.5 3.5 0 0 1 0 6.4M18 14a6.5 6.5 0 0 1 3.5 5.5",
  mail: "M4 6h16v12H4zM4.5 6.5L12 13l7.5-6.5",
  gauge: "M4 17a8.5 8.5 0 1 1 16 0M12 15l4-5",
  layers: "M12 4l9 4.5-9 4.5-9-4.5zM3.5 13l8.5 4.2L20.5 13M3.5 17l8.5 4.2 8.5-4.2",
  server: "M4 5h16v6H4zM4 13h16v6H4zM7.5 8h.01M7.5 16h.01",
  sliders: "M4 7h9M17 7h3M15 4.8v4.4M4 17h3M11 17h9M9 14.8v4.4",
  ban: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM5.8 5.8l12.4 12.4",
  mute: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5m0-5l-5 5",
  chat: "M4 5h16v11h-8.5L7 20v-4H4z",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  plus: "M12 5v14M5 12h14",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2",
  channel: "M3 8h18v12H3zM8 3.5l4 4.5 4-4.5",
  chart: "M5 20V10M12 20V4M19 20v-7",
  brush: "M19.5 4.5L10 14m0 0a3 3 0 0 0-4 1c-.8 1.5-1 3-3 4 3 1.2 7.5 1 8.5-2A3 3 0 0 0 10 14z",
  leave: "M10 5H5v14h5M14.5 8l4 4-4 4M18 12H9",
  retry: "M19.5 12a7.5 7.5 0 1 1-2.4-5.5M19.5 4v4h-4"
} as const

export type IconName = keyof typeof outlines

/** A picture beside words: readers of the screen do not hear it. */
export const Icon = ({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) => (
  <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" data-icon={name}>
    <path d={outlines[name]} />
  </svg>
)
