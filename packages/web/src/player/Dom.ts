type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** An element with attributes (`true` is an empty attribute, `false` and `undefined` are left out) and children. */
export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Array<Node | string>
): HTMLElementTagNameMap[Tag] => {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : String(value))
  }
  made.append(...children)
  return made
}

const svg = "http://www.w3.org/2000/svg"

/** Drawings on a 24 by 24 grid, filled with the text colour. */
const drawings = {
  play: "M8 5.6v12.8c0 .9 1 1.4 1.7.9l9.3-6.4c.7-.4.7-1.4 0-1.8L9.7 4.7C9 4.2 8 4.7 8 5.6Z",
  pause:
    "M7.5 5h2A1 1 0 0 1 10.5 6v12a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1Zm7 0h2A1 1 0 0 1 17.5 6v12a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1Z",
  replay:
    "M12 5V2.5a.5.5 0 0 0-.85-.36L7.3 5.9a.5.5 0 0 0 0 .72l3.85 3.77a.5.5 0 0 0 .85-.36V7.2a5.4 5.4 0 1 1-5.4 5.4 1.1 1.1 0 0 0-2.2 0A7.6 7.6 0 1 0 12 5Z",
  loud: "M4 9.5v5a1 1 0 0 0 1 1h2.6l4.2 3.7c.65.57 1.7.1 1.7-.75V5.55c0-.86-1.05-1.32-1.7-.75L7.6 8.5H5a1 1 0 0 0-1 1Zm12.2-1.8a.9.9 0 0 0-.3 1.24 5.8 5.8 0 0 1 0 6.12.9.9 0 1 0 1.54.94 7.6 7.6 0 0 0 0-8 .9.9 0 0 0-1.24-.3Zm2.7-2.6a.9.9 0 0 0-.2 1.26 9.6 9.6 0 0 1 0 11.28.9.9 0 1 0 1.46 1.06 11.4 11.4 0 0 0 0-13.4.9.9 0 0 0-1.26-.2Z",
  quiet:
    "M4 9.5v5a1 1 0 0 0 1 1h2.6l4.2 3.7c.65.57 1.7.1 1.7-.75V5.55c0-.86-1.05-1.32-1.7-.75L7.6 8.5H5a1 1 0 0 0-1 1Zm12.2-1.8a.9.9 0 0 0-.3 1.24 5.8 5.8 0 0 1 0 6.12.9.9 0 1 0 1.54.94 7.6 7.6 0 0 0 0-8 .9.9 0 0 0-1.24-.3Z",
  muted:
    "M4 9.5v5a1 1 0 0 0 1 1h2.6l4.2 3.7c.65.57 1.7.1 1.7-.75V5.55c0-.86-1.05-1.32-1.7-.75L7.6 8.5H5a1 1 0 0 0-1 1Zm12.1.2a.9.9 0 0 0 0 1.27L17.14 12l-1.04 1.03a.9.9 0 1 0 1.27 1.27l1.03-1.03 1.03 1.03a.9.9 0 1 0 1.27-1.27L19.67 12l1.03-1.03a.9.9 0 1 0-1.27-1.27L18.4 10.73 17.37 9.7a.9.9 0 0 0-1.27 0Z",
  captions:
    "M5.5 5A2.5 2.5 0 0 0 3 7.5v9A2.5 2.5 0 0 0 5.5 19h13a2.5 2.5 0 0 0 2.5-2.5v-9A2.5 2.5 0 0 0 18.5 5h-13Zm1.9 8.5a.9.9 0 0 1 0-1.8h3.2a.9.9 0 0 1 0 1.8H7.4Zm6 0a.9.9 0 0 1 0-1.8h3.2a.9.9 0 0 1 0 1.8h-3.2Zm-6 3a.9.9 0 0 1 0-1.8h1.7a.9.9 0 0 1 0 1.8H7.4Zm4.5 0a.9.9 0 0 1 0-1.8h4.7a.9.9 0 0 1 0 1.8h-4.7Z",
  settings:
    "M10.8 2.8h2.4c.5 0 .9.34 1 .82l.36 1.82c.5.2.97.47 1.4.8l1.76-.6a1 1 0 0 1 1.18.45l1.2 2.08a1 1 0 0 1-.19 1.25l-1.4 1.22a6.6 6.6 0 0 1 0 1.62l1.4 1.22a1 1 0 0 1 .19 1.25l-1.2 2.08a1 1 0 0 1-1.18.45l-1.76-.6c-.43.33-.9.6-1.4.8l-.36 1.82a1 1 0 0 1-1 .82h-2.4a1 1 0 0 1-1-.82l-.36-1.82c-.5-.2-.97-.47-1.4-.8l-1.76.6a1 1 0 0 1-1.18-.45l-1.2-2.08a1 1 0 0 1 .19-1.25l1.4-1.22a6.6 6.6 0 0 1 0-1.62l-1.4-1.22a1 1 0 0 1-.19-1.25l1.2-2.08a1 1 0 0 1 1.18-.45l1.76.6c.43-.33.9-.6 1.4-.8l.36-1.82a1 1 0 0 1 1-.82ZM12 8.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4Z",
  pip: "M5.5 4.5h13A2.5 2.5 0 0 1 21 7v3.5a.9.9 0 0 1-1.8 0V7a.7.7 0 0 0-.7-.7h-13a.7.7 0 0 0-.7.7v10c0 .39.31.7.7.7H10a.9.9 0 0 1 0 1.8H5.5A2.5 2.5 0 0 1 3 17V7a2.5 2.5 0 0 1 2.5-2.5Zm8.5 8.3h5.5c.83 0 1.5.67 1.5 1.5V18c0 .83-.67 1.5-1.5 1.5H14c-.83 0-1.5-.67-1.5-1.5v-3.7c0-.83.67-1.5 1.5-1.5Z",
  enter:
    "M4 5.5A1.5 1.5 0 0 1 5.5 4H9a.9.9 0 0 1 0 1.8H5.8V9A.9.9 0 0 1 4 9V5.5Zm11-1.5h3.5A1.5 1.5 0 0 1 20 5.5V9a.9.9 0 0 1-1.8 0V5.8H15A.9.9 0 0 1 15 4ZM4.9 14.1c.5 0 .9.4.9.9v3.2H9A.9.9 0 0 1 9 20H5.5A1.5 1.5 0 0 1 4 18.5V15c0-.5.4-.9.9-.9Zm14.2 0c.5 0 .9.4.9.9v3.5a1.5 1.5 0 0 1-1.5 1.5H15a.9.9 0 0 1 0-1.8h3.2V15c0-.5.4-.9.9-.9Z",
  leave:
    "M9 4c.5 0 .9.4.9.9v3.5a1.5 1.5 0 0 1-1.5 1.5H4.9a.9.9 0 0 1 0-1.8h3.2V4.9C8.1 4.4 8.5 4 9 4Zm6 0c.5 0 .9.4.9.9v3.2h3.2a.9.9 0 0 1 0 1.8h-3.5a1.5 1.5 0 0 1-1.5-1.5V4.9c0-.5.4-.9.9-.9ZM4 15a.9.9 0 0 1 .9-.9h3.5a1.5 1.5 0 0 1 1.5 1.5v3.5a.9.9 0 0 1-1.8 0v-3.2H4.9A.9.9 0 0 1 4 15Zm10.1.6a1.5 1.5 0 0 1 1.5-1.5h3.5a.9.9 0 0 1 0 1.8h-3.2v3.2a.9.9 0 0 1-1.8 0v-3.5Z",
  close:
    "M6.7 5.3a1 1 0 0 0-1.4 1.4l5.3 5.3-5.3 5.3a1 1 0 1 0 1.4 1.4l5.3-5.3 5.3 5.3a1 1 0 0 0 1.4-1.4L13.4 12l5.3-5.3a1 1 0 0 0-1.4-1.4L12 10.6 6.7 5.3Z",
  theatre:
    "M4.5 6h15A2.5 2.5 0 0 1 22 8.5v7a2.5 2.5 0 0 1-2.5 2.5h-15A2.5 2.5 0 0 1 2 15.5v-7A2.5 2.5 0 0 1 4.5 6Zm0 1.8a.7.7 0 0 0-.7.7v7c0 .39.31.7.7.7h15a.7.7 0 0 0 .7-.7v-7a.7.7 0 0 0-.7-.7h-15Z",
  cast: "M5.5 4.5h13A2.5 2.5 0 0 1 21 7v10a2.5 2.5 0 0 1-2.5 2.5H15a.9.9 0 0 1 0-1.8h3.5a.7.7 0 0 0 .7-.7V7a.7.7 0 0 0-.7-.7h-13a.7.7 0 0 0-.7.7v1.6a.9.9 0 0 1-1.8 0V7a2.5 2.5 0 0 1 2.5-2.5ZM3 17.3a2.2 2.2 0 0 1 2.2 2.2H3v-2.2Zm0-3.6a5.8 5.8 0 0 1 5.8 5.8H7A4 4 0 0 0 3 15.5v-1.8Zm0-3.5a9.3 9.3 0 0 1 9.3 9.3h-1.8A7.5 7.5 0 0 0 3 12v-1.8Z",
  next: "M9.3 6.3a1 1 0 0 0 0 1.4l4.3 4.3-4.3 4.3a1 1 0 1 0 1.4 1.4l5-5a1 1 0 0 0 0-1.4l-5-5a1 1 0 0 0-1.4 0Z",
  back: "M14.7 6.3a1 1 0 0 1 0 1.4L10.4 12l4.3 4.3a1 1 0 1 1-1.4 1.4l-5-5a1 1 0 0 1 0-1.4l5-5a1 1 0 0 1 1.4 0Z",
  clock:
    "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 1.9a7.1 7.1 0 1 1 0 14.2 7.1 7.1 0 0 1 0-14.2Zm0 2.4a.95.95 0 0 0-.95.95V12c0 .25.1.5.28.67l2.7 2.7a.95.95 0 1 0 1.34-1.34l-2.42-2.42V8.25a.95.95 0 0 0-.95-.95Z",
  person: "M12 12a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm0 2.2c-4.4 0-8 2.5-8 5.6V21h16v-1.2c0-3.1-3.6-5.6-8-5.6Z",
  check: "M19.7 6.3a1 1 0 0 1 0 1.4l-9 9a1 1 0 0 1-1.4 0l-5-5a1 1 0 1 1 1.4-1.4l4.3 4.3 8.3-8.3a1 1 0 0 1 1.4 0Z"
} as const

export type IconName = keyof typeof drawings

export const icon = (name: IconName): SVGSVGElement => {
  const drawing = document.createElementNS(svg, "svg")
  drawing.setAttribute("viewBox", "0 0 24 24")
  drawing.setAttribute("aria-hidden", "true")
  const path = document.createElementNS(svg, "path")
  path.setAttribute("d", drawings[name])
  drawing.append(path)
  return drawing
}

/** A round icon button whose label is also its tooltip. */
export const iconButton = (name: IconName, label: string, className: string): HTMLButtonElement =>
  element("button", { type: "button", class: `kp-button ${className}`, "aria-label": label, title: label }, icon(name))

/** Changes picture and label of an icon button, when they differ. */
export const dressButton = (button: HTMLButtonElement, name: IconName, label: string): void => {
  if (button.dataset["icon"] === name && button.title === label) return
  button.dataset["icon"] = name
  button.title = label
  button.setAttribute("aria-label", label)
  button.replaceChildren(icon(name))
}
