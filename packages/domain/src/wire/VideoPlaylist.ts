import { Schema } from "effect"
import { AccountSummary, VideoChannelSummary } from "./Account.ts"
import { NullableString, NumberConstant, Page, Timestamp, Url } from "./Scalars.ts"
import { Thumbnail } from "./Thumbnail.ts"
import { Video } from "./Video.ts"

/** A playlist (contract: VideoPlaylist). */
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
  /** As its description has it; recorded answers have `videosLength`. */
  videoLength: Schema.Int,
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
  videoChannelPosition: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "VideoPlaylist" })

export const VideoPlaylistList = Page(VideoPlaylist).annotate({ identifier: "VideoPlaylistList" })
export type VideoPlaylistList = typeof VideoPlaylistList.Type
export type VideoPlaylist = typeof VideoPlaylist.Type

/** What a client reads of a playlist it has made (contract: VideoPlaylistCreateResult). */
export const VideoPlaylistCreated = Schema.Struct({
  videoPlaylist: Schema.Struct({ id: Schema.Int, uuid: Schema.String, shortUUID: Schema.String })
})

/**
 * A place of a playlist, counted from 1 (contract: VideoPlaylistElement). `video` is there when the viewer may see it;
 * `type` says what is there else. Times are seconds.
 */
export const VideoPlaylistElement = Schema.Struct({
  id: Schema.Int,
  position: Schema.Int,
  startTimestamp: Schema.NullOr(Schema.Int),
  stopTimestamp: Schema.NullOr(Schema.Int),
  type: Schema.Literals([0, 1, 2, 3]),
  video: Schema.NullOr(Video)
}).annotate({ identifier: "VideoPlaylistElement" })
export type VideoPlaylistElement = typeof VideoPlaylistElement.Type

export const VideoPlaylistElementList = Page(VideoPlaylistElement).annotate({ identifier: "VideoPlaylistElementList" })
export type VideoPlaylistElementList = typeof VideoPlaylistElementList.Type

export const VideoPlaylistElementCreated = Schema.Struct({
  videoPlaylistElement: Schema.Struct({ id: Schema.Int })
})

/** Where a video stands in the viewer's playlists (contract: VideoExistInPlaylist), by the video's row id. */
export const VideosExistInPlaylists = Schema.Record(
  Schema.String,
  Schema.Array(
    Schema.Struct({
      playlistElementId: Schema.Int,
      playlistId: Schema.Int,
      playlistDisplayName: Schema.String,
      playlistShortUUID: Schema.String,
      startTimestamp: Schema.NullOr(Schema.Int),
      stopTimestamp: Schema.NullOr(Schema.Int)
    })
  )
).annotate({ identifier: "VideosExistInPlaylists" })
export type VideosExistInPlaylists = typeof VideosExistInPlaylists.Type
