export const messages = {
  failed: "Some or all files of this video could not be made.",
  delayed: "The files of this video could not be made yet. The next attempt begins at {when}.",
  delayedSoon: "The files of this video could not be made yet. The next attempt begins soon.",
  reason: "The reason: {error}",
  tryAgain: "Try again now",
  refused: "You may not do this.",
  again: "The files of this video are being made again."
} as const
