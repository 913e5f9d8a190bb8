/** French messages by area. */
export const french = {
  common: () => import("./common.ts"),
  config: () => import("./config.ts"),
  form: () => import("./form.ts"),
  jobs: () => import("./jobs.ts"),
  overview: () => import("./overview.ts"),
  registrations: () => import("./registrations.ts"),
  reports: () => import("./reports.ts"),
  runners: () => import("./runners.ts"),
  upload: () => import("./upload.ts"),
  users: () => import("./users.ts"),
  videos: () => import("./videos.ts")
} satisfies Record<string, () => Promise<{ readonly messages: object }>>
