export const messages = {
  rating: "Rating",
  like: "Like",
  dislike: "Dislike",
  title: "Comments",
  off: "Comments are turned off for this video.",
  logIn: "Log in",
  toRate: "{link} to rate this video."
} as const
