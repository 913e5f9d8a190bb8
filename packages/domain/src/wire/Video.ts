import { Schema } from "effect"
import { Account, AccountSummary, VideoChannelSummary } from "./Account.ts"
import {
  NullableString,
  NullableTimestamp,
  NumberConstant,
  OptionalNumberConstant,
  OptionalStringConstant,
  Page,
  Timestamp,
  Url
} from "./Scalars.ts"
import { Thumbnail } from "./Thumbnail.ts"
import { VideoChannel } from "./VideoChannel.ts"
import { VideoFile, VideoSource, VideoStreamingPlaylist } from "./VideoFile.ts"

const ScheduledUpdate = Schema.Struct({ privacy: Schema.optionalKey(Schema.Int), updateAt: Timestamp })

const sharedFields = {
  id: Schema.Int,
  uuid: Schema.String,
  shortUUID: Schema.String,
  url: Url,
  name: Schema.String,
  category: OptionalNumberConstant,
  licence: OptionalNumberConstant,
  language: OptionalStringConstant,
  privacy: NumberConstant,
  nsfw: Schema.Boolean,
  nsfwFlags: Schema.Int,
  nsfwSummary: Schema.String,
  description: NullableString,
  truncatedDescription: NullableString,
  isLocal: Schema.Boolean,
  duration: Schema.Int,
  aspectRatio: Schema.NullOr(Schema.Finite),
  views: Schema.Int,
  viewers: Schema.Int,
  likes: Schema.Int,
  dislikes: Schema.Int,
  comments: Schema.Int,
  downloads: Schema.Int,
  thumbnailPath: Schema.String,
  previewPath: Schema.String,
  thumbnails: Schema.Array(Thumbnail),
  embedPath: Schema.String,
  thumbnailUrl: Schema.optionalKey(Url),
  previewUrl: Schema.optionalKey(Url),
  embedUrl: Schema.optionalKey(Url),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  publishedAt: Timestamp,
  originallyPublishedAt: NullableTimestamp,
  isLive: Schema.Boolean,
  liveSchedules: Schema.optionalKey(Schema.Array(Schema.Struct({ startAt: Timestamp }))),
  scheduledUpdate: Schema.optionalKey(Schema.NullOr(ScheduledUpdate)),
  userHistory: Schema.optionalKey(Schema.NullOr(Schema.Struct({ currentTime: Schema.Int }))),
  blacklisted: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  blacklistedReason: Schema.optionalKey(NullableString),
  blockedOwner: Schema.optionalKey(Schema.Boolean),
  blockedServer: Schema.optionalKey(Schema.Boolean),
  pluginData: Schema.optionalKey(Schema.Unknown),
  videoSource: Schema.optionalKey(VideoSource),
  automaticTags: Schema.optionalKey(Schema.Array(Schema.String))
}

/**
 * A video in a list (contract: Video). `state`, `waitTranscoding`, `scheduledUpdate`, the block fields, `files`, `tags`
 * and `videoSource` come when `include` asks for them or when the reader manages the video.
 */
export const Video = Schema.Struct({
  ...sharedFields,
  account: AccountSummary,
  channel: VideoChannelSummary,
  waitTranscoding: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  state: Schema.optionalKey(NumberConstant),
  files: Schema.optionalKey(Schema.Array(VideoFile)),
  streamingPlaylists: Schema.optionalKey(Schema.Array(VideoStreamingPlaylist)),
  tags: Schema.optionalKey(Schema.Array(Schema.String))
}).annotate({ identifier: "Video" })
export type Video = typeof Video.Type

/** One video in full (contract: VideoDetails). */
export const VideoDetails = Schema.Struct({
  ...sharedFields,
  account: Account,
  channel: VideoChannel,
  waitTranscoding: Schema.NullOr(Schema.Boolean),
  state: NumberConstant,
  files: Schema.Array(VideoFile),
  streamingPlaylists: Schema.Array(VideoStreamingPlaylist),
  tags: Schema.Array(Schema.String),
  support: NullableString,
  commentsPolicy: NumberConstant,
  downloadEnabled: Schema.Boolean,
  inputFileUpdatedAt: NullableTimestamp,
  trackerUrls: Schema.Array(Schema.String),
  embedPrivacyPolicy: NumberConstant
}).annotate({ identifier: "VideoDetails" })
export type VideoDetails = typeof VideoDetails.Type

export const VideoList = Page(Video).annotate({ identifier: "VideoListResponse" })
export type VideoList = typeof VideoList.Type
