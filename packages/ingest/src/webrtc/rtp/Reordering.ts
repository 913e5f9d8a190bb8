import type { RtpPacket } from "./RtpPacket.ts"
import { Unwrapped } from "./Sequence.ts"

export interface ReorderingLimits {
  /** How long a packet is waited for, in milliseconds. */
  readonly maxDelay: number
  /** Packets that wait for one before them. */
  readonly packets: number
}

/** A packet in its order. */
export interface Ordered {
  readonly packet: RtpPacket
  /** Packets before it are missing, and come no more. */
  readonly gap: boolean
}

interface Missing {
  readonly since: number
  asked: number
  times: number
}

/** Times that a packet is asked for. */
const maxAsks = 8
/** A step that is larger is another stream: nothing is asked for, and what waits is given up. */
const largestStep = 1024

/** Puts the packets of one source in order, and says which to ask for again. Times are in milliseconds. */
export class Reordering {
  readonly #limits: ReorderingLimits
  readonly #numbers = new Unwrapped(16)
  readonly #waiting = new Map<number, RtpPacket>()
  readonly #missing = new Map<number, Missing>()
  #next: number | undefined
  #highest = -1
  #gap = false
  /** Packets that came no more. */
  lost = 0
  received = 0

  constructor(limits: ReorderingLimits) {
    this.#limits = limits
  }

  /** The highest number, with how often it has wrapped around. */
  get highest(): number {
    return this.#highest
  }

  /** Takes a packet. Gives those that are in order now. */
  add(packet: RtpPacket, now: number): ReadonlyArray<Ordered> {
    const number = this.#numbers.next(packet.sequence)
    if (this.#next === undefined || number > this.#highest + largestStep) {
      this.#begin(number)
    }
    if (number < this.#next! || this.#waiting.has(number)) return []
    this.received += 1
    this.#missing.delete(number)
    for (let late = Math.max(this.#highest + 1, this.#next!); late < number; late++) {
      this.#missing.set(late, { since: now, asked: Number.NEGATIVE_INFINITY, times: 0 })
    }
    this.#highest = Math.max(this.#highest, number)
    this.#waiting.set(number, packet)
    return this.release(now)
  }

  /** Gives up on packets that were waited for long enough, and gives those behind them. */
  release(now: number): ReadonlyArray<Ordered> {
    const ordered: Array<Ordered> = []
    while (this.#waiting.size > 0) {
      const next = this.#next!
      const packet = this.#waiting.get(next)
      if (packet === undefined) {
        const since = this.#missing.get(next)?.since ?? now
        if (now - since < this.#limits.maxDelay && this.#waiting.size < this.#limits.packets) break
        this.#missing.delete(next)
        this.#gap = true
        this.lost += 1
      } else {
        this.#waiting.delete(next)
        ordered.push({ packet, gap: this.#gap })
        this.#gap = false
      }
      this.#next = next + 1
    }
    return ordered
  }

  /** The packets to ask for now, each once within `interval`. */
  ask(now: number, interval: number): ReadonlyArray<number> {
    const asked: Array<number> = []
    for (const [number, missing] of this.#missing) {
      if (now - missing.asked < interval || missing.times >= maxAsks) continue
      missing.asked = now
      missing.times += 1
      asked.push(((number % 0x1_00_00) + 0x1_00_00) % 0x1_00_00)
    }
    return asked
  }

  #begin(number: number): void {
    if (this.#next !== undefined) this.#gap = true
    this.#waiting.clear()
    this.#missing.clear()
    this.#next = number
    this.#highest = number - 1
  }
}
