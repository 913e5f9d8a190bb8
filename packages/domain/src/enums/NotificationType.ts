import type { NotificationSettingKey } from "./NotificationSetting.ts"

/** Types of notifications (contract: UserNotificationType). */
export const NotificationType = {
  newVideoFromSubscription: 1,
  newCommentOnMyVideo: 2,
  newAbuseForModerators: 3,
  blacklistOnMyVideo: 4,
  unblacklistOnMyVideo: 5,
  myVideoPublished: 6,
  myVideoImportSuccess: 7,
  myVideoImportError: 8,
  newUserRegistration: 9,
  newFollow: 10,
  commentMention: 11,
  videoAutoBlacklistForModerators: 12,
  newInstanceFollower: 13,
  autoInstanceFollowing: 14,
  abuseStateChange: 15,
  abuseNewMessage: 16,
  newPluginVersion: 17,
  newPeerTubeVersion: 18,
  myVideoStudioEditionFinished: 19,
  newUserRegistrationRequest: 20,
  newLiveFromSubscription: 21,
  myVideoTranscriptionGenerated: 22,
  invitedToCollaborate: 23,
  acceptedToCollaborate: 24,
  refusedToCollaborate: 25,
  videoOwnershipRequest: 26,
  videoOwnershipAccepted: 27,
  videoOwnershipRejected: 28,
  channelOwnershipRequest: 29,
  channelOwnershipAccepted: 30,
  channelOwnershipRejected: 31,
  automaticBlocklistUpdate: 32
} as const
export type NotificationType = (typeof NotificationType)[keyof typeof NotificationType]

export const notificationTypes: ReadonlyArray<NotificationType> = Object.values(NotificationType)

/**
 * The setting by which a user turns a kind off. Those without one are always sent, in every way: somebody waits for an
 * answer, or has given one.
 */
export const settingOfType: Readonly<Record<NotificationType, NotificationSettingKey | null>> = {
  1: "newVideoFromSubscription",
  2: "newCommentOnMyVideo",
  3: "abuseAsModerator",
  4: "blacklistOnMyVideo",
  5: "blacklistOnMyVideo",
  6: "myVideoPublished",
  7: "myVideoImportFinished",
  8: "myVideoImportFinished",
  9: "newUserRegistration",
  10: "newFollow",
  11: "commentMention",
  12: "videoAutoBlacklistAsModerator",
  13: "newInstanceFollower",
  14: "autoInstanceFollowing",
  15: "abuseStateChange",
  16: "abuseNewMessage",
  17: "newPluginVersion",
  18: "newPeerTubeVersion",
  19: "myVideoStudioEditionFinished",
  20: "newUserRegistration",
  21: "newVideoFromSubscription",
  22: "myVideoTranscriptionGenerated",
  23: null,
  24: null,
  25: null,
  26: null,
  27: null,
  28: null,
  29: null,
  30: null,
  31: null,
  32: "automaticBlocklist"
}
