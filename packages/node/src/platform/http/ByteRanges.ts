/** A span of bytes; both ends are part of it. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** What a Range header asks of a file: everything, some spans, or nothing that is there. */
export type RangeWish =
  | { readonly _tag: "Whole" }
  | { readonly _tag: "Ranges"; readonly ranges: ReadonlyArray<ByteRange> }
  | { readonly _tag: "Unsatisfiable" }

/** Spans of one answer at most; more of them is a sign of abuse (RFC 9110, 17.15). */
const maxRanges = 8

const whole: RangeWish = { _tag: "Whole" }
const spec = /^(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/

const resolve = (match: RegExpExecArray, size: number): ByteRange | undefined => {
  const suffix = match[3]
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size)
    return length === 0 ? undefined : { start: size - length, end: size - 1 }
  }
  const start = Number(match[1])
  if (start >= size) return undefined
  return { start, end: match[2] === "" ? size - 1 : Math.min(Number(match[2]), size - 1) }
}

const overlap = (ranges: ReadonlyArray<ByteRange>): boolean => {
  const sorted = ranges.toSorted((a, b) => a.start - b.start)
  return sorted.some((range, i) => i > 0 && range.start <= (sorted[i - 1] as ByteRange).end)
}

/**
 * Reads a Range header (RFC 9110, 14.1.2 and 14.2). What is malformed, of another unit, too many or overlapping is
 * ignored, so that no header makes the answer larger than the file.
 */
export const parseRange = (header: string | undefined, size: number): RangeWish => {
  if (header === undefined || !/^bytes=/i.test(header) || header.length > 500) return whole
  const parts = header.slice(6).split(",")
  if (parts.length > maxRanges) return whole
  const ranges: Array<ByteRange> = []
  for (const part of parts) {
    const match = spec.exec(part.trim())
    if (match === null) return whole
    if (match[2] !== undefined && match[2] !== "" && Number(match[2]) < Number(match[1])) return whole
    const range = resolve(match, size)
    if (range !== undefined) ranges.push(range)
  }
  if (ranges.length === 0) return { _tag: "Unsatisfiable" }
  return overlap(ranges) ? whole : { _tag: "Ranges", ranges }
}
