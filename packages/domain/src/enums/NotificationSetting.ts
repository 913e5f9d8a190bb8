/** Notification settings of a user (contract: UserNotificationSettingKeys). */
export const notificationSettingKeys = [
  "abuseAsModerator",
  "videoAutoBlacklistAsModerator",
  "newUserRegistration",
  "newVideoFromSubscription",
  "blacklistOnMyVideo",
  "myVideoPublished",
  "myVideoImportFinished",
  "commentMention",
  "newCommentOnMyVideo",
  "newFollow",
  "newInstanceFollower",
  "autoInstanceFollowing",
  "abuseStateChange",
  "abuseNewMessage",
  "newPeerTubeVersion",
  "newPluginVersion",
  "myVideoStudioEditionFinished",
  "myVideoTranscriptionGenerated",
  "automaticBlocklist",
  // Of our own: mails that administrators write to everybody.
  "announcement"
] as const
export type NotificationSettingKey = (typeof notificationSettingKeys)[number]

/** Bits for the ways of a notification: on the web, by email (contract: UserNotificationSettingValue). */
export const NotificationWay = { none: 0, web: 1, mail: 2 } as const

/** All bits together. */
export const allNotificationWays = NotificationWay.web | NotificationWay.mail
