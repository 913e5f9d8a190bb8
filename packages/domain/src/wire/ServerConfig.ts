import { Schema } from "effect"
import { ActorImage } from "./ActorImage.ts"
import { InstanceLogo } from "./InstanceLogo.ts"
import { Enabled } from "./Scalars.ts"

const Text = Schema.String
const Flag = Schema.Boolean
const Count = Schema.Int
const Texts = Schema.Array(Schema.String)
const Size = Schema.Struct({ max: Count })
const FileLimits = Schema.Struct({ size: Size, extensions: Texts })
const RunnersEnabled = Schema.Struct({ enabled: Flag, remoteRunners: Enabled })
const AppLink = { host: Text, scheme: Text, fallbackUrl: Text }

const Transcoding = {
  remoteRunners: Enabled,
  enabledResolutions: Schema.Array(Count),
  profile: Text,
  availableProfiles: Texts
}

const Instance = Schema.Struct({
  name: Text,
  shortDescription: Text,
  defaultClientRoute: Text,
  isNSFW: Flag,
  defaultNSFWPolicy: Text,
  serverCountry: Text,
  defaultLanguage: Text,
  support: Schema.Struct({ text: Text }),
  social: Schema.Struct({ externalLink: Text, mastodonLink: Text, blueskyLink: Text, xLink: Text }),
  customizations: Schema.Struct({ javascript: Text, css: Text }),
  avatars: Schema.Array(ActorImage),
  banners: Schema.Array(ActorImage),
  logo: Schema.Array(InstanceLogo)
})

const Client = Schema.Struct({
  newFeaturesInfo: Flag,
  header: Schema.Struct({ hideInstanceName: Flag }),
  videos: Schema.Struct({
    miniature: Schema.Struct({ preferAuthorDisplayName: Flag, displayAuthorAvatar: Flag }),
    resumableUpload: Schema.Struct({ maxChunkSize: Count })
  }),
  browseVideos: Schema.Struct({ defaultSort: Text, defaultScope: Text }),
  menu: Schema.Struct({ login: Schema.Struct({ redirectOnSingleExternalAuth: Flag }) }),
  openInApp: Schema.Struct({
    android: Schema.Struct({ intent: Schema.Struct({ enabled: Flag, ...AppLink }) }),
    ios: Schema.Struct({ enabled: Flag, ...AppLink })
  })
})

const Defaults = Schema.Struct({
  publish: Schema.Struct({
    downloadEnabled: Flag,
    commentsPolicy: Count,
    commentsEnabled: Flag,
    privacy: Count,
    licence: Schema.NullOr(Count)
  }),
  live: Schema.Struct({ saveReplay: Flag }),
  p2p: Schema.Struct({ webapp: Enabled, embed: Enabled }),
  player: Schema.Struct({ theme: Text, autoPlay: Flag })
})

const Live = Schema.Struct({
  enabled: Flag,
  allowReplay: Flag,
  dvr: Schema.Struct({ maxWindow: Count }),
  latencySetting: Enabled,
  maxDuration: Count,
  maxInstanceLives: Count,
  maxUserLives: Count,
  transcoding: Schema.Struct({ enabled: Flag, ...Transcoding }),
  rtmp: Schema.Struct({ port: Count })
})

const WatchingInterval = Schema.Struct({
  watchingInterval: Schema.Struct({ anonymous: Count, users: Count })
})

/**
 * What clients need to know of the instance (contract: ServerConfig). Two paths appear twice, since the table and the
 * recorded answer differ and clients read either: `avatar.extensions` beside `avatar.file.extensions`, `views.views`
 * beside `views.videos`.
 */
export const ServerConfig = Schema.Struct({
  client: Client,
  defaults: Defaults,
  webadmin: Schema.Struct({ configuration: Schema.Struct({ edition: Schema.Struct({ allowed: Flag }) }) }),
  instance: Instance,
  search: Schema.Struct({
    remoteUri: Schema.Struct({ users: Flag, anonymous: Flag }),
    searchIndex: Schema.Struct({ enabled: Flag, url: Text, disableLocalSearch: Flag, isDefaultSearch: Flag })
  }),
  plugin: Schema.Struct({
    registered: Schema.Array(Schema.Unknown),
    registeredExternalAuths: Schema.Array(Schema.Unknown),
    registeredIdAndPassAuths: Schema.Array(Schema.Unknown)
  }),
  theme: Schema.Struct({ registered: Schema.Array(Schema.Unknown), default: Text }),
  email: Enabled,
  contactForm: Enabled,
  serverVersion: Text,
  serverCommit: Schema.optionalKey(Text),
  signup: Schema.Struct({
    allowed: Flag,
    allowedForCurrentIP: Flag,
    minimumAge: Count,
    requiresApproval: Flag,
    requiresEmailVerification: Flag
  }),
  transcoding: Schema.Struct({ ...Transcoding, hls: Enabled, web_videos: Enabled }),
  live: Live,
  videoStudio: RunnersEnabled,
  videoFile: Schema.Struct({ update: Enabled }),
  videoTranscription: RunnersEnabled,
  import: Schema.Struct({
    videos: Schema.Struct({ http: Enabled, torrent: Enabled }),
    videoChannelSynchronization: Enabled,
    users: Enabled
  }),
  export: Schema.Struct({
    users: Schema.Struct({ enabled: Flag, exportExpiration: Schema.Finite, maxUserVideoQuota: Schema.Finite })
  }),
  autoBlacklist: Schema.Struct({ videos: Schema.Struct({ ofUsers: Enabled }) }),
  avatar: Schema.Struct({ file: FileLimits, extensions: Texts }),
  banner: Schema.Struct({ file: FileLimits }),
  logo: Schema.Struct({ file: FileLimits }),
  video: Schema.Struct({ image: FileLimits, file: Schema.Struct({ extensions: Texts }) }),
  videoCaption: Schema.Struct({ file: FileLimits }),
  user: Schema.Struct({ videoQuota: Schema.Finite, videoQuotaDaily: Schema.Finite }),
  videoChannels: Schema.Struct({ maxPerUser: Count }),
  trending: Schema.Struct({
    videos: Schema.Struct({
      intervalDays: Count,
      algorithms: Schema.Struct({ enabled: Texts, default: Text })
    })
  }),
  tracker: Enabled,
  followings: Schema.Struct({
    instance: Schema.Struct({ autoFollowIndex: Schema.Struct({ indexUrl: Text }) })
  }),
  federation: Enabled,
  broadcastMessage: Schema.Struct({
    enabled: Flag,
    message: Text,
    level: Schema.Literals(["info", "warning", "error"]),
    dismissable: Flag
  }),
  homepage: Enabled,
  openTelemetry: Schema.Struct({ metrics: Schema.Struct({ enabled: Flag, playbackStatsInterval: Count }) }),
  views: Schema.Struct({ views: WatchingInterval, videos: WatchingInterval }),
  storyboards: RunnersEnabled,
  webrtc: Schema.Struct({ stunServers: Texts }),
  nsfwFlagsSettings: Enabled,
  fieldsConstraints: Schema.Struct({
    users: Schema.Struct({ password: Schema.Struct({ minLength: Count, maxLength: Count }) })
  })
}).annotate({ identifier: "ServerConfig" })
export type ServerConfig = typeof ServerConfig.Type
