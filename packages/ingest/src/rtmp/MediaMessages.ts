import type { FlvTag } from "../flv/FlvTag.ts"
import { mediaTag, scriptTag } from "../flv/TagBody.ts"
import type { TagFault } from "../flv/TagHeader.ts"
import type { Timeline } from "../flv/Timeline.ts"
import { messageType, type ReceivedMessage, type RtmpMessage } from "./Messages.ts"

/** Why a message cannot be taken. Aggregates hold several tags; Flash servers sent them to each other. */
export type MediaFault = TagFault | "aggregate"

/** The tag of a message of a publisher. Undefined: the message holds none. */
export const tagOf = (message: ReceivedMessage, timeline: Timeline): FlvTag | MediaFault | undefined => {
  const { payload, timestamp } = message
  switch (message.type) {
    case messageType.audio:
      return mediaTag("audio", payload, timestamp, timeline)
    case messageType.video:
      return mediaTag("video", payload, timestamp, timeline)
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
