import { Schema } from "effect"
import { videoCodecs } from "../ladder/VideoCodec.ts"
import { presets } from "../settings/Preset.ts"

/** Words of the tools, as they stand in our own payloads: nothing that means anything in a filter graph. */
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

/** One time range of a video, in every rendition. Frames count from the beginning of the whole. */
export const PicturePart = Schema.Struct({
  kind: Schema.Literal("video"),
  /** Its first frame, at the rate of the first rendition. */
  first: Count,
  /** Whether it begins before the first picture, which then stands until its time. */
  early: Schema.Boolean,
  /** Whether the video ends with it. */
  last: Schema.Boolean,
  /** Effort of the encoder: parts of different efforts do not fit together. */
  preset: Schema.Literals(presets),
  /** What the file that was cut says of its pictures, and a cut does not. */
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
export type PicturePart = typeof PicturePart.Type

/** The sound of a whole video. */
export const SoundPart = Schema.Struct({
  kind: Schema.Literal("audio"),
  codec: Word,
  channels: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 64 })),
  sampleRate: Schema.Int.check(Schema.isBetween({ minimum: 1000, maximum: 768_000 })),
  /** Where it ends, in seconds. */
  duration: Schema.Finite
})
export type SoundPart = typeof SoundPart.Type

/** What is made by a job of the type `vodPartJobType`: `output` of its payload. The result is one mp4. */
export const PartOutput = Schema.Union([PicturePart, SoundPart])
export type PartOutput = typeof PartOutput.Type

/** The payload of such a job. What is read at `videoFileUrl` is no whole video, but what was cut out of one for the part. */
export const PartPayload = Schema.Struct({
  input: Schema.Struct({ videoFileUrl: Schema.String }),
  output: PartOutput
})
export type PartPayload = typeof PartPayload.Type
