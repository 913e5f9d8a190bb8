/** The sheet of keys. */
export const messages = {
  title: "Keys",
  close: "Close",
  search: "Search",
  help: "Show the keys",
  h: "Latest videos",
  t: "Trending",
  b: "Browse",
  s: "Subscriptions",
  l: "Playlists",
  n: "Notifications",
  v: "My videos",
  u: "Upload",
  player: "Beside a video, ? shows the keys of the player.",
  choice: "Keys of one letter work on pages"
} as const
