import { Schema } from "effect"

const Output = {
  resolution: Schema.Int,
  fps: Schema.Finite
}

const SeparatedAudio = Schema.optional(Schema.NullOr(Schema.Array(Schema.String)))

/** Payload of `vod-web-video-transcoding` and `vod-hls-transcoding` (contract: runner-protocol.json, jobTypes). */
export const VideoPayload = Schema.Struct({
  input: Schema.Struct({ videoFileUrl: Schema.String, separatedAudioFileUrl: SeparatedAudio }),
  output: Schema.Struct({ ...Output, separatedAudio: Schema.optional(Schema.NullOr(Schema.Boolean)) })
})

/** Payload of `vod-audio-merge-transcoding`. */
export const AudioMergePayload = Schema.Struct({
  input: Schema.Struct({ audioFileUrl: Schema.String, previewFileUrl: Schema.String }),
  output: Schema.Struct(Output)
})

const Count = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4096 }))
const Edges = Schema.Struct({ width: Count, height: Count })

/** Payload of `generate-video-storyboard` (since 8.0). `duration` is seconds per sprite. */
export const StoryboardPayload = Schema.Struct({
  input: Schema.Struct({ videoFileUrl: Schema.String }),
  sprites: Schema.Struct({ size: Edges, count: Edges, duration: Schema.Finite.check(Schema.isGreaterThan(0)) })
})

/** Payload of `live-rtmp-hls-transcoding`. */
export const LivePayload = Schema.Struct({
  input: Schema.Struct({ rtmpUrl: Schema.String }),
  output: Schema.Struct({
    toTranscode: Schema.NonEmptyArray(
      Schema.Struct({
        resolution: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4320 })),
        fps: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 240 }))
      })
    ).check(Schema.isMaxLength(20)),
    segmentDuration: Schema.Finite.check(Schema.isBetween({ minimum: 0.5, maximum: 60 })),
    segmentListSize: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))
  })
})

/** A pending job. Types this program does not know are ignored, not refused. */
export const Offer = Schema.Struct({
  uuid: Schema.String.check(Schema.isUUID()),
  type: Schema.String,
  payload: Schema.Unknown
})
export type Offer = typeof Offer.Type

/** Answer of `POST /jobs/request`. */
export const Offers = Schema.Struct({ availableJobs: Schema.Array(Offer) })

/** The parts that we need of the answer to `POST /jobs/{jobUUID}/accept`. */
export const Accepted = Schema.Struct({
  job: Schema.Struct({
    uuid: Schema.String.check(Schema.isUUID()),
    type: Schema.String,
    jobToken: Schema.String,
    payload: Schema.Unknown
  })
})

/** Answer of `POST /register`. */
export const Registered = Schema.Struct({ id: Schema.Int, runnerToken: Schema.String })

/** The parts that we need of an error answer (RFC 9457). Servers before 7 put the code at the end of `type`. */
export const Problem = Schema.Struct({
  status: Schema.optional(Schema.Unknown),
  type: Schema.optional(Schema.Unknown),
  code: Schema.optional(Schema.Unknown),
  detail: Schema.optional(Schema.Unknown),
  error: Schema.optional(Schema.Unknown),
  "invalid-params": Schema.optional(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)))
})
export type Problem = typeof Problem.Type
