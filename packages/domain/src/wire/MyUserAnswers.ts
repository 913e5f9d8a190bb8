import { Schema } from "effect"
import { ActorImage } from "./ActorImage.ts"
import { NullableString, NumberConstant, Page, Timestamp } from "./Scalars.ts"
import { Video } from "./Video.ts"

/** Bytes the user's videos take, in all and those of the last 24 hours. */
export const QuotaUsed = Schema.Struct({ videoQuotaUsed: Schema.Int, videoQuotaUsedDaily: Schema.Int })

/** What the user thinks of a video; `id` and `videoId` are both the video's (contract: GetMeVideoRating). */
export const MyVideoRating = Schema.Struct({
  id: Schema.Int,
  videoId: Schema.Int,
  rating: Schema.Literals(["like", "dislike", "none"])
}).annotate({ identifier: "GetMeVideoRating" })

/** An import of a video; one of three sources is set (contract: VideoImport). */
export const VideoImport = Schema.Struct({
  id: Schema.Int,
  targetUrl: NullableString,
  magnetUri: NullableString,
  torrentName: NullableString,
  state: NumberConstant,
  error: Schema.optionalKey(Schema.String),
  attempts: Schema.Int,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  originallyPublishedAt: Schema.optionalKey(Timestamp),
  video: Schema.optionalKey(Schema.NullOr(Video)),
  videoChannelSync: Schema.optionalKey(Schema.Struct({ id: Schema.Int, externalChannelUrl: Schema.String }))
}).annotate({ identifier: "VideoImport" })
export type VideoImport = typeof VideoImport.Type

export const VideoImportsList = Page(VideoImport).annotate({ identifier: "VideoImportsList" })

/** Pictures of an actor after they were replaced. */
export const Avatars = Schema.Struct({ avatars: Schema.Array(ActorImage) })
