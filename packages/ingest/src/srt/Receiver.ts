import type { Decryption } from "./Decryption.ts"
import { lossReport, mostRanges } from "./LossReport.ts"
import { ReceiveBuffer, type SequenceRange } from "./ReceiveBuffer.ts"
import { ReceiveRate } from "./ReceiveRate.ts"
import { RoundTrip } from "./RoundTrip.ts"
import { type ControlPacket, controlBytes, controlType, type DataPacket, headerLength } from "./SrtPacket.ts"

export interface ReceiverOptions {
  /** The peer's socket id. */
  readonly peer: number
  /** The sequence number of its first packet. */
  readonly first: number
  /** How long a missing packet is waited for. Milliseconds. */
  readonly latency: number
  /** Packets that are kept at most, a power of two. */
  readonly capacity: number
  /** A peer from which nothing comes for so long is gone. Milliseconds. */
  readonly peerTime: number
  readonly decryption: Decryption | undefined
  readonly send: (bytes: Buffer) => void
}

/** Acknowledgements without statistics between those of the clock (SRT 3.2.4). */
const lightAckAfter = 64
const shortestReportInterval = 20
const keepAliveAfter = 1000
const fullAckLength = 28

/**
 * The receiving side of a connection (SRT 4): order, acknowledgements, reports of loss, and its end. `now` is milliseconds on a
 * clock that does not go back; `tick` is called every 10 ms.
 */
export class Receiver {
  /** How it ended: the peer closed it, or is gone. */
  end: "closed" | "lost" | undefined
  /** When media came last. */
  mediaAt: number
  readonly #options: ReceiverOptions
  readonly #buffer: ReceiveBuffer
  readonly #roundTrip = new RoundTrip()
  readonly #rate: ReceiveRate
  readonly #began: number
  #heardAt: number
  #sentAt: number
  #ackNumber = 0
  #acked: number
  /** What the peer knows to be acknowledged. */
  #confirmed: number
  #ackedAt = 0
  #sinceAck = 0
  #reportedAt = 0
  /** The positions of full acknowledgements, by their numbers. */
  readonly #positions = new Map<number, number>()

  constructor(options: ReceiverOptions, now: number) {
    this.#options = options
    this.#buffer = new ReceiveBuffer(options.first, options.capacity)
    this.#rate = new ReceiveRate(now)
    this.#began = this.#heardAt = this.#sentAt = this.mediaAt = now
    this.#acked = this.#confirmed = options.first
  }

  get isReadable(): boolean {
    return this.#buffer.isReadable
  }

  /** Packets that never came. */
  get lost(): number {
    return this.#buffer.lost
  }

  /** The next bytes of the stream, about `most`; undefined while there are none. */
  take(most: number): Buffer | undefined {
    return this.#buffer.take(most)
  }

  data({ key, payload, sequence }: DataPacket, now: number): void {
    this.#heardAt = now
    const opened = this.#opened(key, payload, sequence)
    if (opened === undefined) return
    this.mediaAt = now
    const gap = this.#buffer.add(sequence, opened, now)
    if (gap === false) return
    this.#rate.add(payload.length + headerLength, now)
    if (gap !== true) this.#report([gap], now)
    if (++this.#sinceAck >= lightAckAfter) this.#lightAck(now)
  }

  /** Takes a control packet, other than handshakes and extensions. */
  control({ body, info, type }: ControlPacket, now: number): void {
    this.#heardAt = now
    switch (type) {
      case controlType.ackAck: {
        this.#roundTrip.answered(info, now)
        this.#confirmed = this.#positions.get(info) ?? this.#confirmed
        this.#positions.delete(info)
        return
      }
      case controlType.dropRequest: {
        if (body.length < 8) return
        const range = { first: body.readUInt32BE(0) & 0x7f_ff_ff_ff, last: body.readUInt32BE(4) & 0x7f_ff_ff_ff }
        return this.#buffer.giveUp(range)
      }
      case controlType.shutdown:
        return this.#over("closed")
    }
  }

  tick(now: number): void {
    if (this.end !== undefined) return
    if (now - this.#heardAt > this.#options.peerTime) return this.#over("lost")
    this.#buffer.giveUpBefore(now - this.#options.latency)
    this.#fullAck(now)
    this.#periodicReport(now)
    if (now - this.#sentAt >= keepAliveAfter) this.#send(controlType.keepAlive, now)
  }

  /** Says that no more is taken. */
  shutdown(now: number): void {
    this.#send(controlType.shutdown, now)
  }

  /** Sends a control packet. */
  post(type: number, subtype: number, body: Uint8Array, now: number): void {
    this.#send(type, now, { subtype, body })
  }

  #opened(key: number, payload: Buffer, sequence: number): Buffer | undefined {
    const { decryption } = this.#options
    if (decryption === undefined) return key === 0 ? payload : undefined
    // A publisher that agreed to encrypt sends nothing in the clear.
    return key === 0 ? undefined : decryption.open(payload, key, sequence)
  }

  #over(end: "closed" | "lost"): void {
    this.end ??= end
    this.#buffer.giveUpBefore(Number.POSITIVE_INFINITY)
  }

  #lightAck(now: number): void {
    this.#sinceAck = 0
    const body = Buffer.allocUnsafe(4)
    body.writeUInt32BE(this.#buffer.next)
    this.#send(controlType.ack, now, { body })
  }

  #fullAck(now: number): void {
    const { next } = this.#buffer
    const { time, variance } = this.#roundTrip
    const isNew = next !== this.#acked
    const isForgotten = next !== this.#confirmed && now - this.#ackedAt > time + 4 * variance
    if (!isNew && !isForgotten) return
    this.#ackNumber = (this.#ackNumber + 1) >>> 0 || 1
    const { bytes, packets } = this.#rate
    const body = Buffer.allocUnsafe(fullAckLength)
    const words = [next, time * 1000, variance * 1000, Math.max(2, this.#buffer.free), packets, packets, bytes]
    for (const [index, word] of words.entries()) body.writeUInt32BE(Math.round(word) >>> 0, index * 4)
    this.#acked = next
    this.#ackedAt = now
    this.#sinceAck = 0
    this.#roundTrip.sent(this.#ackNumber, now)
    this.#remember(this.#ackNumber, next)
    this.#send(controlType.ack, now, { info: this.#ackNumber, body })
  }

  #remember(number: number, position: number): void {
    this.#positions.set(number, position)
    if (this.#positions.size > 256) this.#positions.delete(this.#positions.keys().next().value as number)
  }

  #periodicReport(now: number): void {
    if (!this.#buffer.hasGaps) return
    const { time, variance } = this.#roundTrip
    const interval = Math.max(shortestReportInterval, (time + 4 * variance) / 2)
    if (now - this.#reportedAt < interval) return
    // What was asked for less than a round trip ago may be on its way.
    const before = now - Math.max(interval, time + variance)
    const ranges = this.#buffer.unreported(before, now, mostRanges)
    if (ranges.length === 0) return
    this.#reportedAt = now
    this.#report(ranges, now)
  }

  #report(ranges: ReadonlyArray<SequenceRange>, now: number): void {
    this.#send(controlType.nak, now, { body: lossReport(ranges) })
  }

  #send(
    type: number,
    now: number,
    rest: { readonly info?: number; readonly subtype?: number; readonly body?: Uint8Array } = {}
  ): void {
    this.#sentAt = now
    const time = (now - this.#began) * 1000
    this.#options.send(controlBytes({ type, time, socketId: this.#options.peer, ...rest }))
  }
}
