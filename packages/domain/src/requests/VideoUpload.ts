import { Schema } from "effect"
import { VideoPrivacy } from "../enums/VideoPrivacy.ts"
import { InvalidParameters } from "../errors/RequestErrors.ts"
import { field, optional } from "../fields/Field.ts"
import { integer } from "../fields/Readers.ts"
import { videoFields as f } from "./VideoFields.ts"

const optionalFields = {
  privacy: optional(f.privacy),
  category: optional(f.category),
  licence: optional(f.licence),
  language: optional(f.language),
  description: optional(f.description),
  support: optional(f.support),
  waitTranscoding: optional(f.waitTranscoding),
  generateTranscription: optional(f.generateTranscription),
  nsfw: optional(f.nsfw),
  nsfwSummary: optional(f.nsfwSummary),
  nsfwFlags: optional(f.nsfwFlags),
  tags: optional(f.tags),
  commentsPolicy: optional(f.commentsPolicy),
  downloadEnabled: optional(f.downloadEnabled),
  originallyPublishedAt: optional(f.originallyPublishedAt),
  scheduleUpdate: optional(f.scheduleUpdate),
  videoPasswords: optional(f.videoPasswords)
}

/** Fields of a multipart upload besides its files `videofile`, `thumbnailfile` and `previewfile` (uploadLegacy). */
export const VideoUpload = Schema.Struct({ name: field(f.name), channelId: field(f.channelId), ...optionalFields })
export type VideoUpload = typeof VideoUpload.Type

/** Body that creates a resumable upload (uploadResumableInit). */
export const ResumableUpload = Schema.Struct({ ...VideoUpload.fields, filename: field(f.filename) })
export type ResumableUpload = typeof ResumableUpload.Type

/** Our own: the second of the video whose picture stands for it, where no picture is sent. */
export const thumbnailTimecode = integer({
  min: 0,
  max: 31_536_000,
  message: "Must be a second of the video",
  documented: { minimum: 0, description: "The second of the video whose picture becomes its thumbnail" }
})

/** Fields that change a video; absent ones stay as they are (putVideo). */
export const VideoUpdate = Schema.Struct({
  name: optional(f.name),
  channelId: optional(f.channelId),
  thumbnailTimecode: optional(thumbnailTimecode),
  ...optionalFields
})
export type VideoUpdate = typeof VideoUpdate.Type

const parseOptions = { errors: "all" } as const
/** Decoders that name every failing field; fields nobody knows are ignored. */
export const decodeVideoUpload = Schema.decodeUnknownEffect(VideoUpload, parseOptions)
export const decodeResumableUpload = Schema.decodeUnknownEffect(ResumableUpload, parseOptions)
export const decodeVideoUpdate = Schema.decodeUnknownEffect(VideoUpdate, parseOptions)

/**
 * What can only be checked of several fields together, after each alone is right: a password-protected video needs a
 * password. Undefined when all is well.
 */
export const checkTogether = (fields: Pick<VideoUpload, "privacy" | "videoPasswords">): InvalidParameters | undefined =>
  fields.privacy === VideoPrivacy.passwordProtected && (fields.videoPasswords ?? []).length === 0
    ? InvalidParameters.one("videoPasswords", "Must have a password when the privacy is password protected", "body")
    : undefined

/** The same for a change: the video may have its passwords already, so that only an empty list is refused. */
export const checkPasswords = (fields: VideoUpdate): InvalidParameters | undefined =>
  fields.videoPasswords === undefined ? undefined : checkTogether(fields)
