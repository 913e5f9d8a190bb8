/** Exports and imports of one's own account. */
export const messages = {
  switchedOff: "This instance neither makes nor takes archives of accounts.",
  export: "Export",
  exportText:
    "An archive holds your profile, settings, channels, videos, playlists, comments, ratings, subscriptions and history. You can keep it, and bring it to another instance.",
  withVideoFiles: "With the files of my videos",
  ask: "Ask for an archive",
  asked: "The archive is being made. You can leave this page, and find it here.",
  archiveOf: "Archive of {at}",
  beingMade: "It is being made. You can leave this page.",
  ready: "Ready: {size}, kept until {until}",
  failed: "It could not be made.",
  download: "Download",
  giveUp: "Give up the archive of {at}",
  remove: "Remove the archive of {at}",
  removed: "The archive is removed.",
  import: "Import",
  importText:
    "What an archive of another instance holds is added to your account. Videos count towards your quota. What you have already stays.",
  choose: "Choose an archive",
  sending: "Sent of the archive",
  sent: "{sent} of {size} sent",
  cancelled: "Cancelled. Nothing was imported.",
  importing: "The archive of {at} is being imported. You can leave this page.",
  imported: "The archive of {at} is imported.",
  importFailed: "The import of {at} failed. {why}",
  outcome: "What became of it",
  what: "What",
  new: "New",
  before: "There before",
  notImported: "Failed",
  section:
    "{section, select, account {Profile} userSettings {Settings} channels {Channels} blocklist {Muted accounts and instances} videos {Videos} videoPlaylists {Playlists} following {Subscriptions} likes {Likes} dislikes {Dislikes} userVideoHistory {History} watchedWordsLists {Watched words} commentAutoTagPolicies {Tags that hold comments} other {Other}}"
} as const
