import type { AmfObject, AmfValue } from "../amf/Amf0.ts"
import { encodeAmf0 } from "../amf/Amf0Writer.ts"
import { audioFourCcs, videoFourCcs } from "../flv/Codec.ts"
import { messageType, type RtmpMessage } from "./Messages.ts"

/** FourCcInfoMask of Enhanced RTMP: the server passes the codec on, and neither decodes nor encodes it. */
const canForward = 4

/** A command of the server. */
const command = (streamId: number, ...values: ReadonlyArray<AmfValue>): RtmpMessage => ({
  type: messageType.command,
  streamId,
  timestamp: 0,
  payload: encodeAmf0(...values)
})

/** The result of a command. */
export const result = (transaction: number, ...values: ReadonlyArray<AmfValue>): RtmpMessage =>
  command(0, "_result", transaction, null, ...values)

/** What clients of Enhanced RTMP want to know. Others get nothing that they could stumble over. */
const enhancements = (client: AmfObject): AmfObject => {
  const mask = (names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, canForward]))
  return {
    ...("fourCcList" in client ? { fourCcList: [...videoFourCcs, ...audioFourCcs] } : {}),
    ...("videoFourCcInfoMap" in client ? { videoFourCcInfoMap: mask(videoFourCcs) } : {}),
    ...("audioFourCcInfoMap" in client ? { audioFourCcInfoMap: mask(audioFourCcs) } : {}),
    // No reconnect request, no multitrack, no nanosecond timestamps.
    ...("capsEx" in client ? { capsEx: 0 } : {})
  }
}

/** The client is connected (RTMP 7.2.1.1). */
export const connected = (transaction: number, client: AmfObject): RtmpMessage =>
  command(
    0,
    "_result",
    transaction,
    { fmsVer: "FMS/3,5,7,7009", capabilities: 31, ...enhancements(client) },
    {
      level: "status",
      code: "NetConnection.Connect.Success",
      description: "Connected",
      objectEncoding: 0,
      ...enhancements(client)
    }
  )

/** The client is not connected. */
export const connectionRejected = (transaction: number, description: string): RtmpMessage =>
  command(0, "_error", transaction, null, { level: "error", code: "NetConnection.Connect.Rejected", description })

/** What some encoders wait for after FCPublish: a command of Flash Media Live Encoder that no specification has. */
export const mayPublish: RtmpMessage = command(0, "onFCPublish", 0, null, {
  code: "NetStream.Publish.Start",
  description: "The stream may be published."
})

/** A status of a stream (RTMP 7.2.2). */
export const status = (streamId: number, level: "status" | "error", code: string, description: string): RtmpMessage =>
  command(streamId, "onStatus", 0, null, { level, code, description })
