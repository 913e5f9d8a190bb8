export const messages = {
  settings: "Notification settings",
  kind: "Kind",
  web: "Web",
  mail: "Mail",
  onWeb: "{name}: on the web",
  byMail: "{name}: by mail",
  readAll: "Mark all as read",
  ofSubscriptions: "Videos of your subscriptions",
  allChoices: "All your choices",
  stopTitle: "No more of these mails?",
  stopText: "You get mails about: {kind}.",
  stop: "Send me no more of them",
  stoppedTitle: "No more of these mails",
  stoppedText: "You will not receive emails about this any more: {kind}. Notifications on the web stay as they were.",
  incompleteTitle: "This link is incomplete",
  incompleteText: "Part of the link is missing. Open it from the email again, or change your notification settings.",
  setting:
    "{key, select, newVideoFromSubscription {New videos of channels you follow} newCommentOnMyVideo {Comments on your videos} commentMention {Mentions of you in comments} newFollow {New followers} myVideoPublished {Your videos, when they are published} myVideoImportFinished {Imports, when they end} blacklistOnMyVideo {Blocks of your videos} abuseStateChange {Your reports, when moderators decide on them} abuseNewMessage {Messages about reports} announcement {Announcements of the administrators} newInstanceFollower {New followers of the instance (for administrators)} autoInstanceFollowing {Instances that are followed back (for administrators)} newUserRegistration {New users (for moderators)} abuseAsModerator {Reports (for moderators)} videoAutoBlacklistAsModerator {Videos that were blocked automatically (for moderators)} other {{key}}}"
} as const
