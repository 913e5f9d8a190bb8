import bencode from "bencode"

/** Limits for nesting and size of foreign bencode. */
export interface BencodeLimits {
  /** Nesting of dictionaries and lists. */
  readonly maxDepth: number
  /** Values and keys in the whole document. */
  readonly maxValues: number
}

const defaults: BencodeLimits = { maxDepth: 16, maxValues: 100_000 }

/** Position of a value: from `start` up to, but excluding, `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface BencodeScan {
  /** End of the first value. */
  readonly end: number
  /** Values of the outermost dictionary by key; empty if the value is not a dictionary. */
  readonly entries: ReadonlyMap<string, Span>
}

const i = 0x69
const d = 0x64
const l = 0x6c
const e = 0x65
const minus = 0x2d
const colon = 0x3a
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

/** Longer numbers would not be exact. */
const maxDigits = 15

interface Open {
  readonly dictionary: boolean
  /** The key of the next value. */
  key: string | undefined
  readonly keys: Set<string>
}

/**
 * Checks the first value of some bytes and returns its end. Undefined if it is not bencode (BEP 3) or breaks a limit.
 * The library reads nothing that has not passed this check: a negative length would make it loop forever, and deep
 * nesting would overflow its stack.
 */
export const scanBencode = (bytes: Uint8Array, limits: BencodeLimits = defaults): BencodeScan | undefined => {
  const entries = new Map<string, Span>()
  const stack: Array<Open> = []
  let at = 0
  let values = 0
  let start = 0

  /** Reads digits up to a delimiter, and returns the number. */
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
    // A value is complete.
    const parent = stack.at(-1)
    if (parent === undefined) return { end: at, entries }
    if (parent.dictionary && parent.key !== undefined) {
      if (stack.length === 1) entries.set(parent.key, { start, end: at })
      parent.key = undefined
    }
  }
}

/** The decoded value, with strings as `Uint8Array`. Undefined if the bytes contain anything else or more. */
export const decodeBencode = (bytes: Uint8Array, limits?: BencodeLimits): unknown =>
  scanBencode(bytes, limits)?.end === bytes.length ? bencode.decode(bytes) : undefined
