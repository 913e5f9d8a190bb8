import { Schema } from "effect"
import { Enabled } from "./Scalars.ts"

/** `/.well-known/nodeinfo` (NodeInfo protocol, section 4). */
export const NodeInfoLinks = Schema.Struct({
  links: Schema.Array(Schema.Struct({ rel: Schema.String, href: Schema.String }))
}).annotate({ identifier: "NodeInfoLinks" })
export type NodeInfoLinks = typeof NodeInfoLinks.Type

const Texts = Schema.Array(Schema.String)
const FileLimits = Schema.Struct({ size: Schema.Struct({ max: Schema.Int }), extensions: Texts })
const Resolutions = Schema.Array(Schema.Int)

/** The part of `ServerConfig` that NodeInfo repeats for other servers. */
const NodeConfig = Schema.Struct({
  search: Schema.Struct({ remoteUri: Schema.Struct({ users: Schema.Boolean, anonymous: Schema.Boolean }) }),
  plugin: Schema.Struct({ registered: Schema.Array(Schema.Unknown) }),
  theme: Schema.Struct({ registered: Schema.Array(Schema.Unknown), default: Schema.String }),
  email: Enabled,
  contactForm: Enabled,
  transcoding: Schema.Struct({ hls: Enabled, web_videos: Enabled, enabledResolutions: Resolutions }),
  live: Schema.Struct({
    enabled: Schema.Boolean,
    transcoding: Schema.Struct({ enabled: Schema.Boolean, enabledResolutions: Resolutions })
  }),
  import: Schema.Struct({ videos: Schema.Struct({ http: Enabled, torrent: Enabled }) }),
  autoBlacklist: Schema.Struct({ videos: Schema.Struct({ ofUsers: Enabled }) }),
  avatar: Schema.Struct({ file: FileLimits }),
  video: Schema.Struct({ image: FileLimits, file: Schema.Struct({ extensions: Texts }) }),
  videoCaption: Schema.Struct({ file: FileLimits }),
  user: Schema.Struct({ videoQuota: Schema.Finite, videoQuotaDaily: Schema.Finite }),
  trending: Schema.Struct({ videos: Schema.Struct({ intervalDays: Schema.Int }) }),
  tracker: Enabled
})

/** NodeInfo schema 2.0 and 2.1; `metadata` as the contract has it. */
export const NodeInfo = Schema.Struct({
  version: Schema.Literals(["2.0", "2.1"]),
  software: Schema.Struct({ name: Schema.String, version: Schema.String }),
  protocols: Schema.Array(Schema.String),
  services: Schema.Struct({ inbound: Schema.Array(Schema.String), outbound: Schema.Array(Schema.String) }),
  openRegistrations: Schema.Boolean,
  usage: Schema.Struct({
    users: Schema.Struct({ total: Schema.Int, activeMonth: Schema.Int, activeHalfyear: Schema.Int }),
    localPosts: Schema.Int,
    localComments: Schema.Int
  }),
  metadata: Schema.Struct({
    taxonomy: Schema.Struct({ postsName: Schema.String }),
    nodeName: Schema.String,
    nodeDescription: Schema.String,
    nodeConfig: NodeConfig,
    /** Other origins that the files of its videos come from. Pages of other Kinora instances allow them. */
    mediaOrigins: Schema.Array(Schema.String)
  })
}).annotate({ identifier: "NodeInfo" })
export type NodeInfo = typeof NodeInfo.Type

/** JRD of an actor (RFC 7033, 4.4). */
export const WebFinger = Schema.Struct({
  subject: Schema.String,
  aliases: Schema.Array(Schema.String),
  links: Schema.Array(
    Schema.Struct({
      rel: Schema.String,
      type: Schema.optionalKey(Schema.String),
      href: Schema.optionalKey(Schema.String),
      template: Schema.optionalKey(Schema.String)
    })
  )
}).annotate({ identifier: "WebFinger" })
export type WebFinger = typeof WebFinger.Type

/** oEmbed 1.0, response of type video. */
export const OEmbed = Schema.Struct({
  type: Schema.Literal("video"),
  version: Schema.Literal("1.0"),
  html: Schema.String,
  width: Schema.Int,
  height: Schema.Int,
  title: Schema.String,
  author_name: Schema.String,
  author_url: Schema.String,
  provider_name: Schema.String,
  provider_url: Schema.String,
  thumbnail_url: Schema.optionalKey(Schema.String),
  thumbnail_width: Schema.optionalKey(Schema.Int),
  thumbnail_height: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "OEmbed" })
export type OEmbed = typeof OEmbed.Type
