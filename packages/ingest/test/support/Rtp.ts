import type { RtpPacket } from "../../src/webrtc/rtp/RtpPacket.ts"

/** A packet with what a test does not care about. */
export const rtp = (fields: Partial<RtpPacket> & { readonly sequence: number }): RtpPacket => ({
  payloadType: 96,
  marker: false,
  timestamp: 0,
  ssrc: 1,
  payload: Buffer.alloc(0),
  transportSequence: undefined,
  ...fields
})

/** A packet as its bytes, without extensions. */
export const rtpBytes = ({ marker, payload, payloadType, sequence, ssrc, timestamp }: RtpPacket): Buffer => {
  const header = Buffer.alloc(12)
  header[0] = 0x80
  header[1] = (marker ? 0x80 : 0) | payloadType
  header.writeUInt16BE(sequence, 2)
  header.writeUInt32BE(timestamp, 4)
  header.writeUInt32BE(ssrc, 8)
  return Buffer.concat([header, payload])
}
