import { allNotificationWays, NotificationWay } from "@kinora/domain/enums/NotificationSetting"
import type { Configuration } from "../../platform/config/Configuration.ts"

const { mail, web } = NotificationWay
const webAndMail = allNotificationWays

/** Default notification channels for each kind of notification. */
export const defaultNotifications: Readonly<Record<string, number>> = {
  newCommentOnMyVideo: web,
  newVideoFromSubscription: web,
  abuseAsModerator: webAndMail,
  videoAutoBlacklistAsModerator: webAndMail,
  blacklistOnMyVideo: webAndMail,
  myVideoPublished: web,
  myVideoImportFinished: web,
  newUserRegistration: web,
  commentMention: web,
  newFollow: web,
  newInstanceFollower: web,
  autoInstanceFollowing: web,
  abuseNewMessage: webAndMail,
  abuseStateChange: webAndMail,
  newPeerTubeVersion: webAndMail,
  newPluginVersion: web,
  myVideoStudioEditionFinished: web,
  myVideoTranscriptionGenerated: web,
  automaticBlocklist: web,
  announcement: mail
}

/** The default preferences, under their API names; `app_user.preferences` holds what the user chose. */
export const preferences = (config: Configuration) => ({
  emailPublic: false,
  nsfwPolicy: config.instance.default_nsfw_policy,
  nsfwFlagsDisplayed: 0,
  nsfwFlagsHidden: 0,
  nsfwFlagsBlurred: 0,
  nsfwFlagsWarned: 0,
  autoPlayVideo: true,
  autoPlayNextVideo: false,
  autoPlayNextVideoPlaylist: true,
  p2pEnabled: config.defaults.p2p.webapp.enabled,
  videosHistoryEnabled: config.user.history.videos.enabled,
  videoLanguages: null,
  language: "en",
  theme: "instance-default",
  noInstanceConfigWarningModal: false,
  noWelcomeModal: false,
  noAccountSetupWarningModal: false,
  newFeaturesInfoRead: 0
})
