import type { FlvTag } from "../flv/FlvTag.ts"
import { unreadable, type UnreadableCodec } from "../flv/Readable.ts"
import { mediaTag, scriptTag } from "../flv/TagBody.ts"
import type { TagFault } from "../flv/TagHeader.ts"
import type { Timeline } from "../flv/Timeline.ts"
import { messageType, type ReceivedMessage, type RtmpMessage } from "./Messages.ts"

/** Why a message cannot be taken. Aggregates hold several tags; Flash servers sent them to each other. */
export type MediaFault = TagFault | "aggregate" | UnreadableCodec

const media = (
  kind: "audio" | "video",
  { payload, timestamp }: ReceivedMessage,
  timeline: Timeline
): FlvTag | MediaFault | undefined => {
  const tag = mediaTag(kind, payload, timestamp, timeline)
  if (tag === undefined || typeof tag === "string") return tag
  return unreadable(kind, tag) ?? tag
}

/** The tag of a message of a publisher. Undefined: the message holds none. */
export const tagOf = (message: ReceivedMessage, timeline: Timeline): FlvTag | MediaFault | undefined => {
  const { payload } = message
  switch (message.type) {
    case messageType.audio:
      return media("audio", message, timeline)
    case messageType.video:
      return media("video", message, timeline)
    case messageType.data:
      return scriptTag(payload, timeline)
    case messageType.dataAmf3:
      return scriptTag(payload.subarray(1), timeline)
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
