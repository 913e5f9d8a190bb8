/** French messages by area. */
export const french = {
  common: () => import("./common.ts"),
  form: () => import("./form.ts"),
  reports: () => import("./reports.ts"),
  upload: () => import("./upload.ts"),
  videos: () => import("./videos.ts")
} satisfies Record<string, () => Promise<{ readonly messages: object }>>
