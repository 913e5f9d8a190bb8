import { userRole, type UserRole } from "@kinora/domain/enums/UserRole"
import type { MyUser } from "@kinora/domain/wire/MyUser"
import type { MyUserRow } from "@kinora/storage/users/MyUserRows"
import type { Configuration } from "../config/Config.ts"

const web = 1
const webAndMail = 3

/** What users are told unless they chose otherwise (1: on the web, 2: by mail, 3: both). */
const defaultNotifications: Readonly<Record<string, number>> = {
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

/** `preferences` holds these fields under their wire names once a user chose. */
const preferences = (config: Configuration) => ({
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

/** A user as it sees itself (contract: MyUser). Playlists and collaborations of channels are not kept yet. */
export const myUserWire = (row: MyUserRow, config: Configuration): MyUser => {
  const { notificationSettings, preferences: chosen, role, ...rest } = row
  return {
    ...preferences(config),
    ...chosen,
    ...rest,
    role: userRole(role as UserRole),
    notificationSettings: { ...defaultNotifications, ...notificationSettings },
    videoChannelCollaborations: [],
    specialPlaylists: []
  }
}
