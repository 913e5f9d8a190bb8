/** English messages by area: a page's are loaded with it. Each area is a file beside this one; ICU message format. */
export const english = {
  common: () => import("./common.ts"),
  form: () => import("./form.ts"),
  reports: () => import("./reports.ts"),
  upload: () => import("./upload.ts"),
  videos: () => import("./videos.ts")
}
