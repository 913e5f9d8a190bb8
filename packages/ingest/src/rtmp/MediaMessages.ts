import { Result } from "effect"
import { decodeAmf0 } from "../amf/Amf0.ts"
import { encodeAmf0 } from "../amf/Amf0Writer.ts"
import { toClassic } from "../flv/ClassicTag.ts"
import type { FlvTag } from "../flv/FlvTag.ts"
import { readAudioHeader, readVideoHeader, type TagFault } from "../flv/TagHeader.ts"
import { unreadable, type UnreadableCodec } from "../flv/Readable.ts"
import type { Timeline } from "../flv/Timeline.ts"
import { messageType, type ReceivedMessage, type RtmpMessage } from "./Messages.ts"

/** Why a message cannot be taken. Aggregates hold several tags; Flash servers sent them to each other. */
export type MediaFault = TagFault | "aggregate" | UnreadableCodec

/** What publishers put before metadata that players shall get (Adobe, "Metadata in live streams"). */
const setDataFrame = Buffer.from(encodeAmf0("@setDataFrame"))

const media = (message: ReceivedMessage, timeline: Timeline): FlvTag | MediaFault | undefined => {
  const { payload } = message
  // Some encoders send empty frames where they have none.
  if (payload.length === 0) return undefined
  const kind = message.type === messageType.audio ? "audio" : "video"
  const header = kind === "audio" ? readAudioHeader(payload) : readVideoHeader(payload)
  if (typeof header === "string") return header
  const lost = unreadable(kind, header)
  if (lost !== undefined) return lost
  const timestamp = header.sequenceHeader ? timeline.now : timeline.frame(kind, message.timestamp)
  const { codec, keyframe, sequenceHeader } = header
  const classic = header.enhanced ? toClassic(payload, codec) : undefined
  const enhanced = header.enhanced && classic === undefined
  return { kind, timestamp, payload: classic ?? payload, codec, keyframe, sequenceHeader, enhanced }
}

const script = (payload: Buffer, timeline: Timeline): FlvTag | undefined => {
  const prefixed = payload.subarray(0, setDataFrame.length).equals(setDataFrame)
  const body = prefixed ? payload.subarray(setDataFrame.length) : payload
  // What is passed on can be decoded by whoever reads it next.
  const values = decodeAmf0(body)
  const isScript = Result.isSuccess(values) && typeof values.success[0] === "string"
  return isScript ? { kind: "script", timestamp: timeline.now, payload: body } : undefined
}

/** The tag of a message of a publisher. Undefined: the message holds none. */
export const tagOf = (message: ReceivedMessage, timeline: Timeline): FlvTag | MediaFault | undefined => {
  switch (message.type) {
    case messageType.audio:
    case messageType.video:
      return media(message, timeline)
    case messageType.data:
      return script(message.payload, timeline)
    case messageType.dataAmf3:
      return script(message.payload.subarray(1), timeline)
    case messageType.aggregate:
      return "aggregate"
    default:
      return undefined
  }
}

const types = { audio: messageType.audio, video: messageType.video, script: messageType.data } as const

/** The message that brings a tag to a player. */
export const messageOf = ({ kind, payload, timestamp }: FlvTag, streamId: number): RtmpMessage => ({
  type: types[kind],
  streamId,
  timestamp,
  payload
})
