/** English messages by area: a page's are loaded with it. Each area is a file beside this one; ICU message format. */
export const english = {
  common: () => import("./common.ts"),
  config: () => import("./config.ts"),
  statistics: () => import("./statistics.ts"),
  mutes: () => import("./mutes.ts"),
  review: () => import("./review.ts"),
  history: () => import("./history.ts"),
  settings: () => import("./settings.ts"),
  channels: () => import("./channels.ts"),
  edit: () => import("./edit.ts"),
  form: () => import("./form.ts"),
  jobs: () => import("./jobs.ts"),
  overview: () => import("./overview.ts"),
  registrations: () => import("./registrations.ts"),
  reports: () => import("./reports.ts"),
  runners: () => import("./runners.ts"),
  upload: () => import("./upload.ts"),
  users: () => import("./users.ts"),
  videos: () => import("./videos.ts"),
  logs: () => import("./logs.ts"),
  blocks: () => import("./blocks.ts"),
  welcome: () => import("./welcome.ts")
}
