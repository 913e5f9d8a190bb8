export const messages = {
  subscribe: "Subscribe",
  subscribed: "Subscribed",
  follows: "You follow this channel.",
  followsNot: "You no longer follow this channel.",
  oneMoment: "One moment…",
  notLoaded: "The videos did not load. Please load the page again."
} as const
