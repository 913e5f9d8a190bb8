export const messages = {
  watchLater: "Watch later",
  notLater: "Remove from watch later",
  label: "{act}: {title}",
  failed: "This did not work. Please try again.",
  saved: "Saved to watch later.",
  removed: "Removed from watch later."
} as const
