import { Schema } from "effect"

/** `/.well-known/nodeinfo` (NodeInfo protocol, section 4). */
export const NodeInfoLinks = Schema.Struct({
  links: Schema.Array(Schema.Struct({ rel: Schema.String, href: Schema.String }))
}).annotate({ identifier: "NodeInfoLinks" })
export type NodeInfoLinks = typeof NodeInfoLinks.Type

/** NodeInfo schema 2.0; `metadata` as the contract has it. */
export const NodeInfo = Schema.Struct({
  version: Schema.Literal("2.0"),
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
    nodeConfig: Schema.Unknown
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
