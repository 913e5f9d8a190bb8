export const messages = {
  myAccount: "My account",
  partMissing: "A part of this page did not load. Please load it again.",
  showMore: "Show more",
  showLess: "Show less",
  details: "Details",
  share: "Share",
  download: "Download"
} as const
