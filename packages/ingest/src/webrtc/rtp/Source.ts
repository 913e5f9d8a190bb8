import type { Reception, SenderReport } from "./Rtcp.ts"
import { type Ordered, Reordering, type ReorderingLimits } from "./Reordering.ts"
import type { RtpPacket } from "./RtpPacket.ts"
import { StreamClock } from "./StreamClock.ts"

/** The packets of one medium: in order, with their times, and how they arrive. Times are in milliseconds. */
export class Source {
  readonly clock: StreamClock
  readonly #rate: number
  readonly #order: Reordering
  #ssrc: number | undefined
  #lastReport: { readonly report: SenderReport; readonly at: number } | undefined
  #transit: number | undefined
  #jitter = 0
  #lostBefore = 0
  #receivedBefore = 0

  constructor(rate: number, limits: ReorderingLimits) {
    this.#rate = rate
    this.clock = new StreamClock(rate)
    this.#order = new Reordering(limits)
  }

  /** The source that is taken: the first one. */
  get ssrc(): number | undefined {
    return this.#ssrc
  }

  add(packet: RtpPacket, now: number): ReadonlyArray<Ordered> {
    this.#ssrc ??= packet.ssrc
    if (packet.ssrc !== this.#ssrc) return []
    this.#measure(packet, now)
    return this.#order.add(packet, now)
  }

  release(now: number): ReadonlyArray<Ordered> {
    return this.#order.release(now)
  }

  /** Packets to ask for again. */
  ask(now: number, interval: number): ReadonlyArray<number> {
    return this.#order.ask(now, interval)
  }

  report(report: SenderReport, now: number): void {
    if (report.ssrc !== this.#ssrc) return
    this.#lastReport = { report, at: now }
    this.clock.report(report)
  }

  /** How it has arrived since this was asked last. */
  reception(now: number): Reception | undefined {
    if (this.#ssrc === undefined) return undefined
    const lost = this.#order.lost - this.#lostBefore
    const all = lost + this.#order.received - this.#receivedBefore
    this.#lostBefore = this.#order.lost
    this.#receivedBefore = this.#order.received
    const last = this.#lastReport
    return {
      ssrc: this.#ssrc,
      fractionLost: all === 0 ? 0 : Math.min(255, Math.floor((lost * 256) / all)),
      lost: this.#order.lost,
      highest: this.#order.highest,
      jitter: Math.round(this.#jitter),
      lastReport: last?.report.compact ?? 0,
      delay: last === undefined ? 0 : Math.round(((now - last.at) * 65_536) / 1000)
    }
  }

  /** RFC 3550, A.8 */
  #measure({ timestamp }: RtpPacket, now: number): void {
    const transit = Math.round((now * this.#rate) / 1000) - timestamp
    const step = this.#transit === undefined ? 0 : Math.abs((transit - this.#transit) | 0)
    this.#transit = transit
    this.#jitter += (step - this.#jitter) / 16
  }
}
