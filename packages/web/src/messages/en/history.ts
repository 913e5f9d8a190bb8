/** What the user has watched. */
export const messages = {
  title: "History",
  lead: "What you watched, the latest first. Only you see it.",
  searchLabel: "Search in your history",
  remember: "Remember what I watch",
  remembering: "What you watch is remembered from now on.",
  paused: "The history is paused.",
  pausedText: "What you watch now is not added.",
  clear: "Clear the history",
  clearAsk: "Clear the whole history?",
  clearText: "All that you watched is forgotten, and where you stopped in it. This cannot be undone.",
  cleared: "The history is empty.",
  remove: "Remove {name}",
  removed: "{name} is removed from the history.",
  list: "Videos you watched",
  at: "stopped at {at} of {length}",
  emptyTitle: "Nothing here yet",
  emptyText: "Videos that you watch appear here.",
  nothingTitle: "Nothing found",
  nothingText: "You watched no video that has to do with “{search}”.",
  browse: "Find something to watch"
} as const
