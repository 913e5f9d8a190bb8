export const messages = {
  account: "My account",
  goLive: "Go live",
  upload: "Upload",
  videos: "My videos",
  subscriptions: "Subscriptions",
  playlists: "Playlists",
  history: "History",
  administration: "Administration",
  settings: "Settings",
  logOut: "Log out"
} as const
