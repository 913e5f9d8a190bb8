import { Schema } from "effect"
import { AccountSummary, VideoChannelSummary } from "./Account.ts"
import { NullableString, NumberConstant, Page, Timestamp, Url } from "./Scalars.ts"
import { Thumbnail } from "./Thumbnail.ts"

/** A playlist in a list (contract: VideoPlaylist). */
export const VideoPlaylist = Schema.Struct({
  id: Schema.Int,
  uuid: Schema.String,
  shortUUID: Schema.String,
  url: Url,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  displayName: Schema.String,
  description: NullableString,
  isLocal: Schema.Boolean,
  videosLength: Schema.Int,
  thumbnailPath: NullableString,
  thumbnailUrl: Schema.optionalKey(Schema.String),
  thumbnails: Schema.Array(Thumbnail),
  embedPath: Schema.String,
  embedUrl: Schema.optionalKey(Schema.String),
  privacy: NumberConstant,
  type: NumberConstant,
  ownerAccount: AccountSummary,
  videoChannel: Schema.optionalKey(Schema.NullOr(VideoChannelSummary)),
  videoChannelPosition: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "VideoPlaylist" })

export const VideoPlaylistList = Page(VideoPlaylist).annotate({ identifier: "VideoPlaylistList" })
export type VideoPlaylistList = typeof VideoPlaylistList.Type
