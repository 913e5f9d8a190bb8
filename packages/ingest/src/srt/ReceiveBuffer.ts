import { advanced, distance } from "./Sequence.ts"

/** Packets from the first to the last, both included. */
export interface SequenceRange {
  readonly first: number
  readonly last: number
}

/** Stands where a packet will not come any more. */
const givenUp = Buffer.alloc(0)

/**
 * The packets of a stream in their order, from the next one to take on. At most `capacity` packets are kept, a power of two.
 * Times are milliseconds on any clock that does not go back.
 */
export class ReceiveBuffer {
  readonly capacity: number
  /** Of the packets from `read` to `end`; undefined where one is missing. */
  readonly #slots: Array<Buffer | undefined>
  readonly #arrivedAt: Float64Array
  readonly #reportedAt: Float64Array
  #read: number
  #next: number
  /** The one after the last that came. */
  #end: number
  #missing = 0
  #lost = 0

  constructor(first: number, capacity: number) {
    this.capacity = capacity
    this.#slots = Array.from({ length: capacity })
    this.#arrivedAt = new Float64Array(capacity)
    this.#reportedAt = new Float64Array(capacity)
    this.#read = this.#next = this.#end = first
  }

  /** The first packet that has neither come nor been given up. */
  get next(): number {
    return this.#next
  }

  /** How many more packets find a place. */
  get free(): number {
    return this.capacity - distance(this.#read, this.#end)
  }

  /** How many packets were given up. */
  get lost(): number {
    return this.#lost
  }

  get isReadable(): boolean {
    return this.#read !== this.#next
  }

  /** Whether packets are missing between others. */
  get hasGaps(): boolean {
    return this.#missing > 0
  }

  /** Takes a packet. A range: these before it have not come. False: it has come before, is too late, or finds no place. */
  add(sequence: number, payload: Buffer, now: number): SequenceRange | boolean {
    if (distance(this.#next, sequence) < 0) return false
    if (distance(this.#end, sequence) < 0) {
      if (this.#slots[this.#slot(sequence)] !== undefined) return false
      this.#missing--
      this.#put(sequence, payload, now)
      return true
    }
    if (distance(this.#read, sequence) >= this.capacity) {
      if (this.#read !== this.#end) return false
      // Nothing waits for what is missing: the stream goes on from here.
      this.#lost += distance(this.#read, sequence)
      this.#read = this.#next = this.#end = sequence
    }
    const first = this.#end
    const ahead = distance(first, sequence)
    for (let step = 0; step < ahead; step++) this.#reportedAt[this.#slot(advanced(first, step))] = now
    this.#missing += ahead
    this.#end = advanced(sequence)
    this.#put(sequence, payload, now)
    return ahead === 0 ? true : { first, last: advanced(sequence, -1) }
  }

  /** The bytes of the next packets, about `most` of them; undefined while there are none. */
  take(most: number): Buffer | undefined {
    const taken: Array<Buffer> = []
    for (let size = 0; this.#read !== this.#next && size < most; this.#read = advanced(this.#read)) {
      const payload = this.#slots[this.#slot(this.#read)] as Buffer
      this.#slots[this.#slot(this.#read)] = undefined
      if (payload.length === 0) continue
      taken.push(payload)
      size += payload.length
    }
    return taken.length < 2 ? taken[0] : Buffer.concat(taken)
  }

  /** Missing packets that were not reported since `before`; they count as reported now. At most `most` ranges. */
  unreported(before: number, now: number, most: number): ReadonlyArray<SequenceRange> {
    const ranges: Array<SequenceRange> = []
    let first: number | undefined
    if (this.#missing === 0) return ranges
    for (let at = this.#next; at !== this.#end; at = advanced(at)) {
      const slot = this.#slot(at)
      if (this.#slots[slot] === undefined && (this.#reportedAt[slot] as number) <= before) {
        if (first === undefined && ranges.length === most) break
        first ??= at
        this.#reportedAt[slot] = now
      } else if (first !== undefined) {
        ranges.push({ first, last: advanced(at, -1) })
        first = undefined
      }
    }
    return ranges
  }

  /** Gives up what has been waited for since `before`: a packet behind it came before that. */
  giveUpBefore(before: number): void {
    while (this.#next !== this.#end) {
      let present = this.#next
      while (present !== this.#end && (this.#slots[this.#slot(present)] ?? givenUp).length === 0) {
        present = advanced(present)
      }
      if (present !== this.#end && (this.#arrivedAt[this.#slot(present)] as number) > before) return
      this.giveUp({ first: this.#next, last: advanced(present, -1) })
    }
  }

  /** Gives up missing packets among those before the last that came. */
  giveUp({ first, last }: SequenceRange): void {
    const from = distance(this.#next, first) < 0 ? this.#next : first
    const to = distance(this.#end, last) < 0 ? last : advanced(this.#end, -1)
    // Numbers that a peer makes up may be half the circle apart: both have to be among what is waited for.
    if (distance(this.#end, from) >= 0 || distance(this.#next, to) < 0) return
    for (let left = distance(from, to), at = from; left >= 0; left--, at = advanced(at)) {
      if (this.#slots[this.#slot(at)] !== undefined) continue
      this.#slots[this.#slot(at)] = givenUp
      this.#missing--
      this.#lost++
    }
    this.#proceed()
  }

  #slot(sequence: number): number {
    return sequence & (this.capacity - 1)
  }

  #put(sequence: number, payload: Buffer, now: number): void {
    this.#slots[this.#slot(sequence)] = payload
    this.#arrivedAt[this.#slot(sequence)] = now
    this.#proceed()
  }

  #proceed(): void {
    while (this.#next !== this.#end && this.#slots[this.#slot(this.#next)] !== undefined) {
      this.#next = advanced(this.#next)
    }
  }
}
