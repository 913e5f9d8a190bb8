import type { Configuration } from "../config/Config.ts"

const web = 1
const webAndMail = 3

/** What users are told unless they chose otherwise (1: on the web, 2: by mail, 3: both). */
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
  automaticBlocklist: web
}

/** What users have unless they chose otherwise, under the wire names; `app_user.preferences` holds what was chosen. */
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
