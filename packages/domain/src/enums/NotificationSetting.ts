/** What users can choose to be told of (contract: UserNotificationSettingKeys). */
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
  "automaticBlocklist"
] as const
export type NotificationSettingKey = (typeof notificationSettingKeys)[number]

/** Bits of how users are told: on the web, by mail (contract: UserNotificationSettingValue). */
export const NotificationWay = { none: 0, web: 1, mail: 2 } as const

/** All bits together. */
export const allNotificationWays = NotificationWay.web | NotificationWay.mail
