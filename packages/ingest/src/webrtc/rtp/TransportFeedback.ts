import { numberBytes } from "../bytes/ByteReader.ts"
import { Unwrapped } from "./Sequence.ts"

/** Reports go out when so many packets have arrived, if not before. */
const maxPackets = 128
/** A larger step is no loss, and is not reported. */
const largestStep = 1024

const ticksOfReference = 256
/** Ticks of a report: 250 µs. */
const ticksOf = (millis: number): number => Math.round(millis * 4)

const symbol = { none: 0, small: 1, large: 2 } as const

const chunkBytes = (symbols: ReadonlyArray<number>): Buffer => {
  const chunks: Array<Buffer> = []
  for (let at = 0; at < symbols.length; at += 7) {
    let word = 3
    for (let index = at; index < at + 7; index++) word = (word << 2) | (symbols[index] ?? symbol.none)
    chunks.push(numberBytes(word, 2))
  }
  return Buffer.concat(chunks)
}

/** With padding to whole words, whose last byte counts it (RFC 3550, 6.4.1). */
const packetBytes = (body: Buffer): Buffer => {
  const padding = (4 - (body.length % 4)) % 4
  const tail = Buffer.alloc(padding)
  if (padding > 0) tail[padding - 1] = padding
  const first = 0x80 | (padding > 0 ? 0x20 : 0) | 15
  return Buffer.concat([Buffer.from([first, 205]), numberBytes((body.length + padding) / 4, 2), body, tail])
}

/**
 * Collects when packets arrive, and reports it to the sender, which finds its bit rate by it
 * (draft-holmer-rmcat-transport-wide-cc-extensions-01).
 */
export class TransportFeedback {
  readonly #numbers = new Unwrapped(16)
  /** Ticks by number. */
  #arrived = new Map<number, number>()
  #next: number | undefined
  #count = 0

  /** @param now milliseconds */
  add(sequence: number, now: number): void {
    const number = this.#numbers.next(sequence)
    const next = this.#next
    if (next === undefined || Math.abs(number - next) > largestStep) {
      this.#arrived.clear()
      this.#next = number
    } else if (number < next) return
    this.#arrived.set(number, ticksOf(now))
  }

  /** Whether a report should not wait. */
  get isFull(): boolean {
    return this.#arrived.size >= maxPackets
  }

  /** The report on what has arrived since the last one; undefined: nothing has. */
  report(ours: number, ssrc: number): Buffer | undefined {
    const first = this.#next
    if (first === undefined || this.#arrived.size === 0) return undefined
    const last = Math.max(...this.#arrived.keys())
    const start = Math.min(...this.#arrived.values())
    const reference = Math.floor(start / ticksOfReference)
    let before = reference * ticksOfReference
    const symbols: Array<number> = []
    const deltas: Array<Buffer> = []
    for (let number = first; number <= last; number++) {
      const ticks = this.#arrived.get(number)
      if (ticks === undefined) {
        symbols.push(symbol.none)
        continue
      }
      const delta = Math.max(-0x80_00, Math.min(0x7f_ff, ticks - before))
      before += delta
      const isSmall = delta >= 0 && delta <= 0xff
      symbols.push(isSmall ? symbol.small : symbol.large)
      deltas.push(numberBytes(isSmall ? delta : delta & 0xff_ff, isSmall ? 1 : 2))
    }
    this.#arrived = new Map()
    this.#next = last + 1
    const body = Buffer.concat([
      numberBytes(ours, 4),
      numberBytes(ssrc, 4),
      numberBytes(((first % 0x1_00_00) + 0x1_00_00) % 0x1_00_00, 2),
      numberBytes(symbols.length, 2),
      numberBytes(reference % 0x1_00_00_00, 3),
      Buffer.from([this.#count++ & 0xff]),
      chunkBytes(symbols),
      ...deltas
    ])
    return packetBytes(body)
  }
}
