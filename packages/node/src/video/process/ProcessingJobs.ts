import type { NewJob } from "@kinora/storage/platform/jobs/Job"
import { storyboardType } from "@kinora/storage/video/work/VideoWork"
import { Schema } from "effect"

/** Job types of the pipeline, as the contract names them (JobType). */
export const publishType = "transcoding-job-builder"
export const transcodingType = "video-transcoding"

/** `source` names the upload it was asked for. */
export const StoryboardPayload = Schema.Struct({ videoId: Schema.Int, source: Schema.NullOr(Schema.String) })
export type StoryboardPayload = typeof StoryboardPayload.Type

/** `uploadId` names the upload whose file may still wait to become the video's source. */
export const PublishPayload = Schema.Struct({ videoId: Schema.Int, uploadId: Schema.NullOr(Schema.String) })
export type PublishPayload = typeof PublishPayload.Type

/** `only`: the renditions that are made anew; all of them when absent. */
export const TranscodingPayload = Schema.Struct({
  videoId: Schema.Int,
  only: Schema.optionalKey(Schema.Literals(["hls", "web-video"]))
})
export type TranscodingPayload = typeof TranscodingPayload.Type

/** The first look at a new video: pictures, publication when browsers can play it, and the jobs that follow. */
export const publishJob = (payload: PublishPayload): NewJob => ({
  type: publishType,
  payload,
  videoId: payload.videoId,
  priority: 10,
  dedupeKey: `publish:${payload.videoId}`
})

/** The storyboard of a video whose ladder makes none. */
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
  maxAttempts: 3,
  dedupeKey: `transcoding:${payload.videoId}`
})
