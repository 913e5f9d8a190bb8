/** What each tag of the contract is about. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Accounts: "Accounts as everybody sees them",
  Config: "What clients read about the instance before anything else",
  Debug: "The running node",
  Discovery: "How other servers and crawlers find out about the instance",
  "HTML Pages": "Pages for browsers",
  Job: "The job board",
  "Lazy Static": "Pictures, captions and torrents",
  Misc: "Small things",
  "My Notifications": "What the user who asks is told of",
  "My User": "The user who asks",
  Register: "Getting an account, at once or by asking for one",
  "Ownership Change": "Giving videos and channels to other users",
  Services: "Services for other sites",
  Session: "Logging in and out",
  "Static Files": "Pictures of the instance",
  "Static Video Files": "The files of videos, with byte ranges",
  Users: "Everybody who has an account",
  Video: "Videos: lists, single ones, uploads",
  "Video Captions": "Subtitles of videos",
  "Video Channels": "Channels as everybody sees them",
  "Video Files": "The files of a video as data"
}
