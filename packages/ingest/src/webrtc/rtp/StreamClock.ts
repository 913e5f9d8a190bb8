import type { SenderReport } from "./Rtcp.ts"
import { Unwrapped } from "./Sequence.ts"

/** The times of one source, in milliseconds of our clock: its own pace, from when its first packet arrived. */
export class StreamClock {
  readonly #rate: number
  readonly #ticks = new Unwrapped(32)
  #anchor: { readonly tick: number; readonly at: number } | undefined
  #reported: number | undefined
  /** Milliseconds that are added, so that picture and sound stay together. */
  shift = 0

  constructor(rate: number) {
    this.#rate = rate
  }

  /** The time of a packet. @param now when it arrived */
  timeOf(timestamp: number, now: number): number {
    const tick = this.#ticks.next(timestamp)
    this.#anchor ??= { tick, at: now }
    return this.#timeOfTick(tick, this.#anchor) + this.shift
  }

  /** Takes a report of the sender on its clock. */
  report({ at, timestamp }: SenderReport): void {
    if (this.#anchor === undefined) return
    this.#reported = this.#timeOfTick(this.#ticks.next(timestamp), this.#anchor) - at
  }

  /** How far our times, before the shift, are from the sender's clock; undefined: it has not reported. */
  get offset(): number | undefined {
    return this.#reported
  }

  #timeOfTick(tick: number, { at, tick: first }: { readonly tick: number; readonly at: number }): number {
    return at + ((tick - first) * 1000) / this.#rate
  }
}
