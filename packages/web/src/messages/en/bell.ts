export const messages = {
  latest: "Latest notifications",
  all: "All notifications",
  subscriptions: "Subscriptions",
  label: "{count, plural, =0 {Notifications} other {Notifications, # unread}}",
  oneMoment: "One moment…",
  nothing: "Nothing yet.",
  saved: "Saved.",
  none: "No notifications yet. News about your videos and channels appears here."
} as const
