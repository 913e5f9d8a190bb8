import { Schema } from "effect"
import { Audience } from "../activities/Audience.ts"
import { publicCollection } from "../vocabulary/Terms.ts"
import { ImageDocument, ImageMediaType } from "./ImageDocument.ts"
import { VideoLink } from "./VideoLinkDocuments.ts"

/** A category, licence or language (contract: ActivityIdentifierObject). */
const Identified = Schema.Struct({ identifier: Schema.String, name: Schema.String })

const Tag = Schema.Union([
  Schema.Struct({ type: Schema.Literal("Hashtag"), name: Schema.String }),
  Schema.Struct({ type: Schema.Literal("SensitiveTag"), name: Schema.Literals(["violent", "explicitSex"]) })
])

/** Captions in one language (contract: Caption). */
const Caption = Schema.Struct({
  ...Identified.fields,
  automaticallyGenerated: Schema.Boolean,
  /** Of the WebVTT file: as text it is read by peers of every version, as a list of links by newer ones alone. */
  url: Schema.String
})

/** Small pictures in one file (contract: Storyboard). Sizes are in pixels. */
const Storyboard = Schema.Struct({
  type: Schema.Literal("Image"),
  rel: Schema.Tuple([Schema.Literal("storyboard")]),
  url: Schema.Tuple([
    Schema.Struct({
      mediaType: ImageMediaType,
      href: Schema.String,
      width: Schema.Int,
      height: Schema.Int,
      tileWidth: Schema.Int,
      tileHeight: Schema.Int,
      tileDuration: Schema.String
    })
  ])
})

/** A video of this instance, as others read it (contract: Video). Durations are ISO 8601. */
export const VideoDocument = Schema.Struct({
  ...Audience.fields,
  type: Schema.Literal("Video"),
  id: Schema.String,
  name: Schema.String,
  duration: Schema.String,
  uuid: Schema.String,
  category: Schema.optionalKey(Identified),
  licence: Schema.optionalKey(Identified),
  language: Schema.optionalKey(Identified),
  views: Schema.Int,
  downloads: Schema.Int,
  sensitive: Schema.Boolean,
  /** Why it is sensitive. */
  summary: Schema.optionalKey(Schema.String),
  waitTranscoding: Schema.Boolean,
  state: Schema.Int,
  canReply: Schema.NullOr(Schema.Literal(publicCollection)),
  commentsPolicy: Schema.Int,
  downloadEnabled: Schema.Boolean,
  embedUrl: Schema.NullOr(Schema.String),
  published: Schema.String,
  originallyPublishedAt: Schema.NullOr(Schema.String),
  updated: Schema.String,
  uploadDate: Schema.optionalKey(Schema.String),
  tag: Schema.Array(Tag),
  mediaType: Schema.Literal("text/markdown"),
  content: Schema.NullOr(Schema.String),
  support: Schema.NullOr(Schema.String),
  subtitleLanguage: Schema.Array(Caption),
  icon: Schema.Array(ImageDocument),
  preview: Schema.optionalKey(Schema.Array(Storyboard)),
  aspectRatio: Schema.NullOr(Schema.Finite),
  url: Schema.Array(VideoLink),
  likes: Schema.String,
  dislikes: Schema.String,
  shares: Schema.String,
  comments: Schema.String,
  hasParts: Schema.String,
  playerSettings: Schema.String,
  /** The account, then the channel. */
  attributedTo: Schema.Array(Schema.String),
  /** The channel. */
  audience: Schema.String,
  isLiveBroadcast: Schema.Boolean,
  // Null of what is no live.
  liveSaveReplay: Schema.NullOr(Schema.Boolean),
  permanentLive: Schema.NullOr(Schema.Boolean),
  latencyMode: Schema.NullOr(Schema.Int),
  dvrWindow: Schema.NullOr(Schema.String),
  schedules: Schema.optionalKey(Schema.Array(Schema.Struct({ startDate: Schema.String })))
})
export type VideoDocument = typeof VideoDocument.Type
