export const messages = {
  offline: "The server cannot be reached. Is there a connection? Please try again.",
  tooOften: "That was too often. Please wait a few minutes and try again.",
  busy: "The server is busy right now. Please try again in a moment.",
  failed: "This did not work."
} as const
