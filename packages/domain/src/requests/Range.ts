/** One part of a file: bytes `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** What a `Range` header asks of a file of a known size (RFC 9110, 14.2). */
export type RangeRequest =
  /** No header, another unit, malformed, or too many parts: the whole file is answered. */
  | { readonly _tag: "Whole" }
  | { readonly _tag: "Parts"; readonly parts: readonly [ByteRange, ...Array<ByteRange>] }
  /** No part lies within the file: 416. */
  | { readonly _tag: "NotSatisfiable" }

/** Parts a request may ask for at once; more are answered with the whole file (RFC 9110, 14.2 and 17.15). */
const maxParts = 16

const whole: RangeRequest = { _tag: "Whole" }

/** One part of the header, "outside" when it lies beyond the file, undefined when it is malformed. */
const parsePart = (text: string, size: number): ByteRange | "outside" | undefined => {
  const match = /^(\d{0,16})-(\d{0,16})$/.exec(text.trim())
  if (match === null) return undefined
  const [, first, last] = match as unknown as [string, string, string]
  if (first === "") {
    if (last === "") return undefined
    const suffix = Number(last)
    return suffix === 0 || size === 0 ? "outside" : { start: Math.max(0, size - suffix), end: size - 1 }
  }
  const start = Number(first)
  if (last !== "" && Number(last) < start) return undefined
  if (start >= size) return "outside"
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) }
}

/** Whether parts overlap so much that together they are more than the file. */
const isWasteful = (parts: ReadonlyArray<ByteRange>, size: number): boolean =>
  parts.length > 1 && parts.reduce((sum, { end, start }) => sum + end - start + 1, 0) > size

/**
 * Reads a `Range` header.
 *
 * @param header the header's text, undefined when there is none
 * @param size bytes of the whole file
 */
export const parseRange = (header: string | undefined, size: number): RangeRequest => {
  const match = header === undefined ? null : /^bytes\s*=\s*(.+)$/i.exec(header.trim())
  if (match === null) return whole
  const texts = match[1]!.split(",", maxParts + 1)
  if (texts.length > maxParts) return whole
  const parts: Array<ByteRange> = []
  for (const text of texts) {
    const part = parsePart(text, size)
    if (part === undefined) return whole
    if (part !== "outside") parts.push(part)
  }
  const [first, ...rest] = parts
  if (first === undefined) return { _tag: "NotSatisfiable" }
  return isWasteful(parts, size) ? whole : { _tag: "Parts", parts: [first, ...rest] }
}
