import { Schema } from "effect"
import { NullableTimestamp } from "./Scalars.ts"

/**
 * How the stream of a live arrives (ours, not the contract's). `bitRate` is in bits per second and `frameRate` in frames per
 * second, both over the last seconds; `keyframeInterval` is in seconds; `droppedFrames` are those that the encoder dropped since it
 * connected, by the gaps they left, and `recentlyDroppedFrames` those of the last minute; `outputs` are the resolutions that viewers get.
 */
export const LiveHealth = Schema.Struct({
  connected: Schema.Boolean,
  connectedAt: NullableTimestamp,
  bitRate: Schema.Int,
  frameRate: Schema.Finite,
  keyframeInterval: Schema.NullOr(Schema.Finite),
  droppedFrames: Schema.Int,
  recentlyDroppedFrames: Schema.Int,
  video: Schema.NullOr(Schema.Struct({ codec: Schema.String, width: Schema.Int, height: Schema.Int })),
  audio: Schema.NullOr(Schema.Struct({ codec: Schema.String })),
  outputs: Schema.Array(Schema.Int)
}).annotate({ identifier: "LiveHealth" })
export type LiveHealth = typeof LiveHealth.Type
