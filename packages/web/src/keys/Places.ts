/** What `g` and a letter open. */
export const places = {
  h: "/",
  t: "/videos/trending",
  b: "/videos/browse",
  s: "/my/subscriptions",
  l: "/my-library/video-playlists",
  n: "/my-account/notifications",
  v: "/my/videos",
  u: "/my/upload"
} as const
