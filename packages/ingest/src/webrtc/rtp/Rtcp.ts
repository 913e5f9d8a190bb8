import { numberBytes } from "../bytes/ByteReader.ts"

/** What a sender reports of its clock (RFC 3550, 6.4.1). */
export interface SenderReport {
  readonly ssrc: number
  /** Milliseconds of the sender's clock. */
  readonly at: number
  /** The timestamp of RTP at that moment. */
  readonly timestamp: number
  /** The middle 32 bits of the time, which our reports repeat. */
  readonly compact: number
}

const senderReport = 200
const receiverReport = 201
const transportFeedback = 205
const payloadFeedback = 206
const bye = 203

const header = (count: number, type: number, body: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([0x80 | count, type]), numberBytes(body.length / 4, 2), body])

/** What a packet of RTCP says of the sender: its reports, and the sources that have ended. */
export const readRtcp = (bytes: Buffer): { readonly reports: ReadonlyArray<SenderReport>; readonly ended: boolean } => {
  const reports: Array<SenderReport> = []
  let ended = false
  for (let at = 0; at + 8 <= bytes.length;) {
    const length = 4 + 4 * bytes.readUInt16BE(at + 2)
    if (bytes[at]! >> 6 !== 2 || at + length > bytes.length) break
    if (bytes[at + 1] === bye) ended = true
    if (bytes[at + 1] === senderReport && length >= 28) {
      const seconds = bytes.readUInt32BE(at + 8)
      const fraction = bytes.readUInt32BE(at + 12)
      reports.push({
        ssrc: bytes.readUInt32BE(at + 4),
        at: seconds * 1000 + (fraction / 0x1_00_00_00_00) * 1000,
        timestamp: bytes.readUInt32BE(at + 16),
        compact: bytes.readUInt32BE(at + 10)
      })
    }
    at += length
  }
  return { reports, ended }
}

/** How one source arrives. */
export interface Reception {
  readonly ssrc: number
  /** Of the packets since the last report, from 0 to 255 of 256. */
  readonly fractionLost: number
  readonly lost: number
  readonly highest: number
  /** In units of the timestamp. */
  readonly jitter: number
  readonly lastReport: number
  /** Since the last report, in 1/65536 seconds. */
  readonly delay: number
}

/** A report of how sources arrive. */
export const receiverReportBytes = (ours: number, receptions: ReadonlyArray<Reception>): Buffer =>
  header(
    receptions.length,
    receiverReport,
    Buffer.concat([
      numberBytes(ours, 4),
      ...receptions.flatMap((it) => [
        numberBytes(it.ssrc, 4),
        Buffer.from([it.fractionLost]),
        numberBytes(Math.min(it.lost, 0x7f_ff_ff), 3),
        ...[it.highest, it.jitter, it.lastReport, it.delay].map((value) => numberBytes(value >>> 0, 4))
      ])
    ])
  )

/** Feedback as every receiver takes it: behind a report (RFC 4585, 3.1), which is empty. */
export const compound = (ours: number, feedback: Uint8Array): Buffer =>
  Buffer.concat([receiverReportBytes(ours, []), feedback])

/** Asks for a keyframe (RFC 4585, 6.3.1). */
export const keyframeRequest = (ours: number, ssrc: number): Buffer =>
  header(1, payloadFeedback, Buffer.concat([numberBytes(ours, 4), numberBytes(ssrc, 4)]))

/** Asks for packets again (RFC 4585, 6.2.1). `missing` is in order. */
export const repeatRequest = (ours: number, ssrc: number, missing: ReadonlyArray<number>): Buffer => {
  const entries: Array<[first: number, mask: number]> = []
  for (const number of missing) {
    const last = entries.at(-1)
    const behind = last === undefined ? 0 : (number - last[0] - 1) & 0xff_ff
    if (last === undefined || behind >= 16) entries.push([number, 0])
    else last[1] |= 1 << behind
  }
  const pairs = entries.flatMap(([first, mask]) => [numberBytes(first, 2), numberBytes(mask, 2)])
  return header(1, transportFeedback, Buffer.concat([numberBytes(ours, 4), numberBytes(ssrc, 4), ...pairs]))
}
