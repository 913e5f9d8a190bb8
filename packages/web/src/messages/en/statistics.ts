/** Figures of one video. */
export const messages = {
  title: "Statistics",
  video: "To the video",
  span: "Time",
  spanName:
    "{days, select, 7 {The last 7 days} 30 {The last 30 days} 365 {The last year} other {Since it was published}}",
  viewers: "Viewers",
  watchTime: "Time watched",
  watchSeconds: "Seconds watched",
  average: "Watched on average",
  peak: "Most at one time",
  peakAt: "on {at}",
  perTime: "Viewers over time",
  timePerTime: "Seconds watched over time",
  retention: "How long people watch",
  retentionHelp: "Part of the viewers who see each second.",
  second: "Second",
  share: "Viewers in percent",
  countries: "Countries",
  devices: "Devices",
  deviceName:
    "{name, select, console {Console} embedded {Built in} mobile {Phone} smarttv {Television} tablet {Tablet} wearable {Worn} xr {Headset} other {Computer}}",
  clients: "Browsers and programs",
  systems: "Systems",
  date: "Date",
  name: "Name",
  nothing: "Nobody has watched it in this time.",
  export: "Export as CSV",
  exportOf: "Export as CSV: {what}"
} as const
