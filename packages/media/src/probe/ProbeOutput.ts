import { Schema } from "effect"

const Tags = Schema.Record(Schema.String, Schema.Unknown)
const Text = Schema.optionalKey(Schema.String)
const Count = Schema.optionalKey(Schema.Finite)

const ProbedStream = Schema.Struct({
  index: Schema.Int,
  codec_type: Text,
  codec_name: Text,
  profile: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite])),
  level: Count,
  pix_fmt: Text,
  width: Count,
  height: Count,
  sample_aspect_ratio: Text,
  avg_frame_rate: Text,
  r_frame_rate: Text,
  field_order: Text,
  color_transfer: Text,
  color_primaries: Text,
  color_space: Text,
  color_range: Text,
  bits_per_raw_sample: Text,
  bit_rate: Text,
  nb_frames: Text,
  start_time: Text,
  duration: Text,
  channels: Count,
  sample_rate: Text,
  disposition: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  tags: Schema.optionalKey(Tags),
  side_data_list: Schema.optionalKey(Schema.Array(Schema.Struct({ rotation: Count })))
})

/** A stream in ffprobe's JSON: numbers are mostly text, and nearly everything may be absent. */
export type ProbedStream = typeof ProbedStream.Type

const ProbeOutput = Schema.Struct({
  format: Schema.Struct({
    format_name: Schema.String,
    duration: Text,
    size: Text,
    bit_rate: Text,
    tags: Schema.optionalKey(Tags)
  }),
  streams: Schema.Array(ProbedStream),
  chapters: Schema.optionalKey(
    Schema.Array(Schema.Struct({ start_time: Text, end_time: Text, tags: Schema.optionalKey(Tags) }))
  )
})

export type ProbeOutput = typeof ProbeOutput.Type

/** The same JSON undecoded: the API shows it as a file's metadata. */
const RawOutput = Schema.Struct({
  format: Schema.Record(Schema.String, Schema.Unknown),
  streams: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)),
  chapters: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Schema.Unknown)))
})

export type RawOutput = typeof RawOutput.Type

/** Decodes ffprobe's `-of json` with `-show_format -show_streams -show_chapters`. */
export const decodeProbeOutput = Schema.decodeUnknownEffect(Schema.fromJsonString(ProbeOutput))
export const decodeRawOutput = Schema.decodeUnknownEffect(Schema.fromJsonString(RawOutput))
