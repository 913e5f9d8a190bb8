import { Schema } from "effect"
import { OptionalStringConstant, Page, Timestamp, Url } from "./Scalars.ts"

/** Answer to a finished upload. */
export const VideoUploadResponse = Schema.Struct({
  video: Schema.Struct({ id: Schema.Int, uuid: Schema.String, shortUUID: Schema.String })
}).annotate({ identifier: "VideoUploadResponse" })
export type VideoUploadResponse = typeof VideoUploadResponse.Type

/** A sprite sheet of small pictures, one every `spriteDuration` seconds. */
export const Storyboard = Schema.Struct({
  storyboardPath: Schema.String,
  fileUrl: Url,
  totalHeight: Schema.Int,
  totalWidth: Schema.Int,
  spriteHeight: Schema.Int,
  spriteWidth: Schema.Int,
  spriteDuration: Schema.Int
}).annotate({ identifier: "Storyboard" })
export type Storyboard = typeof Storyboard.Type

export const StoryboardList = Schema.Struct({ storyboards: Schema.Array(Storyboard) })
export type StoryboardList = typeof StoryboardList.Type

/** Subtitles of a video in one language; `m3u8Url` is null when the video has no HLS playlist for them. */
export const VideoCaption = Schema.Struct({
  language: OptionalStringConstant,
  automaticallyGenerated: Schema.Boolean,
  captionPath: Schema.String,
  fileUrl: Url,
  m3u8Url: Schema.NullOr(Url),
  updatedAt: Timestamp
}).annotate({ identifier: "VideoCaption" })
export type VideoCaption = typeof VideoCaption.Type

export const VideoCaptionList = Page(VideoCaption)

/** A token that opens the files of one video without a login, for as long as it lives. */
export const VideoTokenResponse = Schema.Struct({
  files: Schema.Struct({ token: Schema.String, expires: Timestamp })
}).annotate({ identifier: "VideoTokenResponse" })
export type VideoTokenResponse = typeof VideoTokenResponse.Type

export const VideoDescription = Schema.Struct({ description: Schema.NullOr(Schema.String) })
export type VideoDescription = typeof VideoDescription.Type

/** Labels by id, as the category, licence, language and privacy lists are answered. */
export const Labels = Schema.Record(Schema.String, Schema.String)

/** Where in a video something begins, in whole seconds. */
export const VideoChapters = Schema.Struct({
  chapters: Schema.Array(Schema.Struct({ title: Schema.String, timecode: Schema.Int }))
}).annotate({ identifier: "VideoChapters" })
export type VideoChapters = typeof VideoChapters.Type

/** What opens a password-protected video: in plain text, for who may change the video. */
export const VideoPassword = Schema.Struct({
  id: Schema.Int,
  password: Schema.String,
  videoId: Schema.Int,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "VideoPassword" })
export type VideoPassword = typeof VideoPassword.Type

export const VideoPasswordList = Page(VideoPassword)
