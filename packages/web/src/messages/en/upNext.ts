export const messages = {
  cancel: "Cancel",
  playNow: "Play now",
  upNext: "Up next"
} as const
