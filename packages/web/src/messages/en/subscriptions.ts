export const messages = {
  subscribe: "Subscribe",
  subscribed: "Subscribed",
  follows: "You follow this channel.",
  followsNot: "You no longer follow this channel."
} as const
