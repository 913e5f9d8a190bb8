import { Schema } from "effect"
import { Enabled } from "./Scalars.ts"

const Text = Schema.String
const Flag = Schema.Boolean
const Count = Schema.Int
const OrNull = <S extends Schema.Top>(schema: S) => Schema.NullOr(schema)
const RunnersEnabled = Schema.Struct({ enabled: Flag, remoteRunners: Enabled })

const resolutionNames = ["0p", "144p", "240p", "360p", "480p", "720p", "1080p", "1440p", "2160p"] as const
const Resolutions = Schema.Struct(
  Object.fromEntries(resolutionNames.map((name) => [name, Flag])) as Record<
    (typeof resolutionNames)[number],
    typeof Flag
  >
)

const Instance = Schema.Struct({
  name: Text,
  shortDescription: Text,
  description: Text,
  terms: Text,
  codeOfConduct: Text,
  creationReason: Text,
  moderationInformation: Text,
  administrator: Text,
  maintenanceLifetime: Text,
  businessModel: Text,
  hardwareInformation: Text,
  defaultLanguage: Text,
  languages: Schema.Array(Text),
  categories: Schema.Array(Count),
  isNSFW: Flag,
  defaultNSFWPolicy: Text,
  serverCountry: Text,
  support: Schema.Struct({ text: Text }),
  social: Schema.Struct({ externalLink: Text, mastodonLink: Text, blueskyLink: Text, xLink: Text }),
  defaultClientRoute: Text,
  customizations: Schema.Struct({ javascript: Text, css: Text })
})

const Colour = OrNull(Text)

const Theme = Schema.Struct({
  default: Text,
  customization: Schema.Struct({
    primaryColor: Colour,
    onPrimaryColor: Colour,
    foregroundColor: Colour,
    backgroundColor: Colour,
    backgroundSecondaryColor: Colour,
    menuForegroundColor: Colour,
    menuBackgroundColor: Colour,
    menuBorderRadius: OrNull(Text),
    headerForegroundColor: Colour,
    headerBackgroundColor: Colour,
    inputBorderRadius: OrNull(Text)
  })
})

const Client = Schema.Struct({
  header: Schema.Struct({ hideInstanceName: Flag }),
  videos: Schema.Struct({ miniature: Schema.Struct({ preferAuthorDisplayName: Flag }) }),
  browseVideos: Schema.Struct({ defaultSort: Text, defaultScope: Text }),
  menu: Schema.Struct({ login: Schema.Struct({ redirectOnSingleExternalAuth: Flag }) })
})

const Transcoding = Schema.Struct({
  enabled: Flag,
  originalFile: Schema.Struct({ keep: Flag }),
  allowAdditionalExtensions: Flag,
  allowAudioFiles: Flag,
  remoteRunners: Enabled,
  threads: Count,
  concurrency: Count,
  profile: Text,
  resolutions: Resolutions,
  alwaysTranscodeOriginalResolution: Flag,
  alwaysTranscodePodcastOptimizedAudio: Flag,
  fps: Schema.Struct({ max: Count }),
  webVideos: Enabled,
  hls: Schema.Struct({ enabled: Flag, splitAudioAndVideo: Flag })
})

const Live = Schema.Struct({
  enabled: Flag,
  allowReplay: Flag,
  latencySetting: Enabled,
  maxDuration: Count,
  maxInstanceLives: Count,
  maxUserLives: Count,
  transcoding: Schema.Struct({
    enabled: Flag,
    remoteRunners: Enabled,
    threads: Count,
    profile: Text,
    resolutions: Resolutions,
    alwaysTranscodeOriginalResolution: Flag,
    fps: Schema.Struct({ max: Count })
  }),
  dvr: Schema.Struct({ maxWindow: Schema.Finite })
})

const Imports = Schema.Struct({
  videos: Schema.Struct({ concurrency: Count, http: Enabled, torrent: Enabled }),
  videoChannelSynchronization: Schema.Struct({ enabled: Flag, maxPerUser: Count }),
  users: Enabled
})

const Exports = Schema.Struct({
  users: Schema.Struct({ enabled: Flag, maxUserVideoQuota: Schema.Finite, exportExpiration: Schema.Finite })
})

const Defaults = Schema.Struct({
  publish: Schema.Struct({ downloadEnabled: Flag, commentsPolicy: Count, privacy: Count, licence: OrNull(Count) }),
  live: Schema.Struct({ saveReplay: Flag }),
  p2p: Schema.Struct({ webapp: Enabled, embed: Enabled }),
  player: Schema.Struct({ theme: Text, autoPlay: Flag })
})

/**
 * The settings that administrators change while the instance runs (contract: CustomConfig). Durations are milliseconds,
 * sizes bytes. Which key of the configuration each one is stands in `node/src/instance/settings/CustomConfigKeys.ts`.
 */
export const CustomConfig = Schema.Struct({
  instance: Instance,
  theme: Theme,
  services: Schema.Struct({ twitter: Schema.Struct({ username: Text }) }),
  client: Client,
  signup: Schema.Struct({
    enabled: Flag,
    limit: Count,
    requiresApproval: Flag,
    requiresEmailVerification: Flag,
    minimumAge: Count
  }),
  admin: Schema.Struct({ email: Text }),
  email: Schema.Struct({ body: Schema.Struct({ signature: Text }), subject: Schema.Struct({ prefix: Text }) }),
  contactForm: Enabled,
  user: Schema.Struct({
    history: Schema.Struct({ videos: Enabled }),
    videoQuota: Schema.Finite,
    videoQuotaDaily: Schema.Finite,
    defaultChannelName: Text
  }),
  videoChannels: Schema.Struct({ maxPerUser: Count }),
  transcoding: Transcoding,
  live: Live,
  videoStudio: RunnersEnabled,
  videoTranscription: RunnersEnabled,
  videoFile: Schema.Struct({ update: Enabled }),
  import: Imports,
  export: Exports,
  trending: Schema.Struct({
    videos: Schema.Struct({ algorithms: Schema.Struct({ enabled: Schema.Array(Text), default: Text }) })
  }),
  autoBlacklist: Schema.Struct({ videos: Schema.Struct({ ofUsers: Enabled }) }),
  followers: Schema.Struct({
    instance: Schema.Struct({ enabled: Flag, manualApproval: Flag }),
    channels: Enabled
  }),
  followings: Schema.Struct({
    instance: Schema.Struct({
      autoFollowBack: Enabled,
      autoFollowIndex: Schema.Struct({ enabled: Flag, indexUrl: Text })
    })
  }),
  broadcastMessage: Schema.Struct({ enabled: Flag, message: Text, level: Text, dismissable: Flag }),
  search: Schema.Struct({
    remoteUri: Schema.Struct({ users: Flag, anonymous: Flag }),
    searchIndex: Schema.Struct({ enabled: Flag, url: Text, disableLocalSearch: Flag, isDefaultSearch: Flag })
  }),
  storyboards: RunnersEnabled,
  defaults: Defaults,
  videoComments: Schema.Struct({ acceptRemoteComments: Flag })
}).annotate({ identifier: "CustomConfig" })
export type CustomConfig = typeof CustomConfig.Type

/** Where the value of a setting comes from, and whether it can be changed while the instance runs. */
export const SettingOrigin = Schema.Struct({
  /** Path in `CustomConfig`. */
  setting: Text,
  /** Path in the configuration file. */
  key: Text,
  environmentVariable: Text,
  /** `default`, `file`, `database` (set by an administrator) or `environment`, which pins it. */
  origin: Schema.Literals(["default", "file", "database", "environment"]),
  pinned: Flag,
  /** What is missing for the setting to have an effect; null where it has one. */
  withoutEffect: OrNull(Text),
  description: Text,
  accepts: Text
}).annotate({ identifier: "SettingOrigin" })
export type SettingOrigin = typeof SettingOrigin.Type

export const SettingOrigins = Schema.Struct({ data: Schema.Array(SettingOrigin) }).annotate({
  identifier: "SettingOrigins"
})
