import type { NewJob } from "@kinora/storage/platform/jobs/Job"
import { storyboardType } from "@kinora/storage/video/work/VideoWork"
import { Schema } from "effect"

/** Job types of the pipeline, as the contract names them (JobType). */
export const publishType = "transcoding-job-builder"
export const transcodingType = "video-transcoding"

/**
 * Attempts at a job whose tool is killed or finds no disk space: with pauses that grow to ten minutes, for about an hour. An
 * error that lies in the file ends a job in its second attempt.
 */
const attempts = 12

/** `source` is the upload that it was requested for. */
export const StoryboardPayload = Schema.Struct({ videoId: Schema.Int, source: Schema.NullOr(Schema.String) })
export type StoryboardPayload = typeof StoryboardPayload.Type

/**
 * `uploadId` is the upload whose file may still have to become the video's source. `published`: the video came into being
 * with its first files, published or waiting for its ladder.
 */
export const PublishPayload = Schema.Struct({
  videoId: Schema.Int,
  uploadId: Schema.NullOr(Schema.String),
  published: Schema.optionalKey(Schema.Boolean)
})
export type PublishPayload = typeof PublishPayload.Type

/** `only`: the renditions to make again. Absent: all of them. */
export const TranscodingPayload = Schema.Struct({
  videoId: Schema.Int,
  only: Schema.optionalKey(Schema.Literals(["hls", "web-video"]))
})
export type TranscodingPayload = typeof TranscodingPayload.Type

/** The first job of a new video: thumbnails, publication if browsers can play it, and the jobs that follow. */
export const publishJob = (payload: PublishPayload): NewJob => ({
  type: publishType,
  payload,
  videoId: payload.videoId,
  priority: 10,
  maxAttempts: attempts,
  dedupeKey: `publish:${payload.videoId}`
})

/** The storyboard of a video, if it is not made together with the ladder. */
export const storyboardJob = (payload: StoryboardPayload): NewJob => ({
  type: storyboardType,
  payload,
  videoId: payload.videoId,
  priority: 95,
  maxAttempts: 3,
  dedupeKey: `storyboard:${payload.videoId}:${payload.source ?? ""}`
})

/** The ladder of a video. */
export const transcodingJob = (payload: TranscodingPayload): NewJob => ({
  type: transcodingType,
  payload,
  videoId: payload.videoId,
  priority: 100,
  maxAttempts: attempts,
  dedupeKey: `transcoding:${payload.videoId}`
})
