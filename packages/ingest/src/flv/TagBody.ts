import { Result } from "effect"
import { decodeAmf0 } from "../amf/Amf0.ts"
import { encodeAmf0 } from "../amf/Amf0Writer.ts"
import { toClassic } from "./ClassicTag.ts"
import type { FlvTag } from "./FlvTag.ts"
import { readAudioHeader, readVideoHeader, type TagFault } from "./TagHeader.ts"
import type { Timeline } from "./Timeline.ts"

/** What publishers put before metadata that players shall get (Adobe, "Metadata in live streams"). */
const setDataFrame = Buffer.from(encodeAmf0("@setDataFrame"))

/** The tag of a body of audio or video, whose memory it takes. `raw` is its time of 32 bits. Undefined: it is empty. */
export const mediaTag = (
  kind: "audio" | "video",
  payload: Uint8Array,
  raw: number,
  timeline: Timeline
): FlvTag | TagFault | undefined => {
  // Some encoders send empty frames where they have none.
  if (payload.length === 0) return undefined
  const header = kind === "audio" ? readAudioHeader(payload) : readVideoHeader(payload)
  if (typeof header === "string") return header
  const timestamp = header.sequenceHeader ? timeline.now : timeline.frame(kind, raw)
  const { codec, keyframe, sequenceHeader } = header
  // ffmpeg writes one without a configuration before it knows it.
  if (sequenceHeader && codec === "aac" && !header.enhanced && payload.length === 2) return undefined
  const classic = header.enhanced ? toClassic(payload, codec) : undefined
  const enhanced = header.enhanced && classic === undefined
  return { kind, timestamp, payload: classic ?? payload, codec, keyframe, sequenceHeader, enhanced }
}

/** The tag of a script. Undefined: it is not what can be decoded by whoever reads it next. */
export const scriptTag = (payload: Buffer, timeline: Timeline): FlvTag | undefined => {
  const prefixed = payload.subarray(0, setDataFrame.length).equals(setDataFrame)
  const body = prefixed ? payload.subarray(setDataFrame.length) : payload
  const values = decodeAmf0(body)
  const isScript = Result.isSuccess(values) && typeof values.success[0] === "string"
  return isScript ? { kind: "script", timestamp: timeline.now, payload: body } : undefined
}
