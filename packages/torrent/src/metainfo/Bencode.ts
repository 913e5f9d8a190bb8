import bencode from "bencode"

/** How deep and how wide bencode of others may be. */
export interface BencodeLimits {
  /** Dictionaries and lists within each other. */
  readonly maxDepth: number
  /** Values and keys of the whole document. */
  readonly maxValues: number
}

const defaults: BencodeLimits = { maxDepth: 16, maxValues: 100_000 }

/** Where a value lies in the bytes: from `start` up to, and without, `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface BencodeScan {
  /** Where the first value ends. */
  readonly end: number
  /** The values of the outermost dictionary by their keys; empty when the value is none. */
  readonly entries: ReadonlyMap<string, Span>
}

const i = 0x69
const d = 0x64
const l = 0x6c
const e = 0x65
const minus = 0x2d
const colon = 0x3a
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

/** More digits are not exact numbers here. */
const maxDigits = 15

interface Open {
  readonly dictionary: boolean
  /** The key whose value comes next. */
  key: string | undefined
  readonly keys: Set<string>
}

/**
 * Walks the first value of some bytes and says where it ends, or undefined when it is not bencode (BEP 3) or breaks a
 * limit. Nothing is read by the library before it passed: a negative length sends that one into an endless circle, and
 * deep nesting out of its stack.
 */
export const scanBencode = (bytes: Uint8Array, limits: BencodeLimits = defaults): BencodeScan | undefined => {
  const entries = new Map<string, Span>()
  const stack: Array<Open> = []
  let at = 0
  let values = 0
  let start = 0

  /** Reads digits up to a mark, and gives the number. */
  const digits = (mark: number): number | undefined => {
    const first = at
    while (isDigit(bytes[at]) && at - first < maxDigits) at++
    if (at === first || bytes[at] !== mark) return undefined
    if (bytes[first] === 0x30 && at - first > 1) return undefined
    return Number(Buffer.from(bytes.buffer, bytes.byteOffset + first, at++ - first).toString("latin1"))
  }

  const string = (): Span | undefined => {
    const length = digits(colon)
    if (length === undefined || length > bytes.length - at) return undefined
    const span = { start: at, end: at + length }
    at = span.end
    return span
  }

  const integer = (): boolean => {
    at += bytes[at + 1] === minus ? 2 : 1
    return digits(e) !== undefined
  }

  for (;;) {
    const open = stack.at(-1)
    const byte = bytes[at]
    if (open !== undefined && byte === e) {
      if (open.dictionary && open.key !== undefined) return undefined
      at++
      stack.pop()
    } else {
      if (++values > limits.maxValues) return undefined
      if (open?.dictionary && open.key === undefined) {
        const span = string()
        if (span === undefined) return undefined
        const key = Buffer.from(bytes.buffer, bytes.byteOffset + span.start, span.end - span.start).toString("latin1")
        if (key === "__proto__" || open.keys.has(key)) return undefined
        open.key = key
        open.keys.add(key)
        start = stack.length === 1 ? at : start
        continue
      }
      if (byte === d || byte === l) {
        if (stack.length === limits.maxDepth) return undefined
        at++
        stack.push({ dictionary: byte === d, key: undefined, keys: new Set() })
        continue
      }
      if (byte === i ? !integer() : string() === undefined) return undefined
    }
    // A value has ended.
    const parent = stack.at(-1)
    if (parent === undefined) return { end: at, entries }
    if (parent.dictionary && parent.key !== undefined) {
      if (stack.length === 1) entries.set(parent.key, { start, end: at })
      parent.key = undefined
    }
  }
}

/** The value bytes hold, strings as `Uint8Array`; undefined when they hold anything else or anything more. */
export const decodeBencode = (bytes: Uint8Array, limits?: BencodeLimits): unknown =>
  scanBencode(bytes, limits)?.end === bytes.length ? bencode.decode(bytes) : undefined
