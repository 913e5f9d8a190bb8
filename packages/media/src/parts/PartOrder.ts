import { Schema } from "effect"
import { videoCodecs } from "../ladder/VideoCodec.ts"
import { presets } from "../settings/Preset.ts"

/** Words that tools use, in our own payloads: without characters that have a meaning in a filter graph. */
const Word = Schema.String.check(Schema.isPattern(/^[a-z0-9-]{1,32}$/))
const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 40 }))
const Rate = Schema.Struct({
  text: Schema.String.check(Schema.isPattern(/^\d{1,9}(?:\/\d{1,9})?$/)),
  value: Schema.Finite.check(Schema.isGreaterThan(0))
})

const PartRendition = Schema.Struct({
  resolution: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 16384 })),
  width: Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 16384 })),
  height: Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 16384 })),
  frameRate: Rate,
  keyframeEvery: Count,
  codec: Schema.Literals(videoCodecs),
  crf: Schema.Finite,
  maxRate: Count,
  bufferSize: Count,
  /** Frames of the part. */
  frames: Count
})
export type PartRendition = typeof PartRendition.Type

/** One time range of a video, in every rendition. Frames count from the start of the whole video. */
export const VideoPart = Schema.Struct({
  kind: Schema.Literal("video"),
  /** Its first frame, at the rate of the first rendition. */
  first: Count,
  /** Whether it begins before the first frame, which is then shown until its own time. */
  early: Schema.Boolean,
  /** Whether it is the last part. */
  last: Schema.Boolean,
  /** Encoder preset: parts with different presets cannot be joined. */
  preset: Schema.Literals(presets),
  /** What the source's container says about its frames, and a cut does not. */
  picture: Schema.Struct({
    rotation: Schema.Literals([0, 90, 180, 270]),
    interlaced: Schema.Boolean,
    hdr: Schema.Boolean,
    colorTransfer: Schema.optional(Word),
    colorPrimaries: Schema.optional(Word),
    colorSpace: Schema.optional(Word),
    colorRange: Schema.optional(Word)
  }),
  /** Highest first. */
  renditions: Schema.NonEmptyArray(PartRendition)
})
export type VideoPart = typeof VideoPart.Type

/** The audio of a whole video. */
export const AudioPart = Schema.Struct({
  kind: Schema.Literal("audio"),
  codec: Word,
  channels: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 64 })),
  sampleRate: Schema.Int.check(Schema.isBetween({ minimum: 1000, maximum: 768_000 })),
  /** Its end, in seconds. */
  duration: Schema.Finite
})
export type AudioPart = typeof AudioPart.Type

/** What a job of the type `vodPartJobType` produces: `output` of its payload. The result is one MP4. */
export const PartOutput = Schema.Union([VideoPart, AudioPart])
export type PartOutput = typeof PartOutput.Type

/** The payload of such a job. `videoFileUrl` leads not to the whole video, but to the cut for this part. */
export const PartPayload = Schema.Struct({
  input: Schema.Struct({ videoFileUrl: Schema.String }),
  output: PartOutput
})
export type PartPayload = typeof PartPayload.Type
