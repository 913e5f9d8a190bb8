/** `Content-Range` of a chunk (RFC 9110, 14.4): bytes `start` to `end`, both included, of `total`. */
export type ContentRange =
  | { readonly _tag: "Chunk"; readonly start: number; readonly end: number; readonly total: number }
  /** `bytes * /total`: the client asks how much has arrived. A total of null is one it does not know (`*`). */
  | { readonly _tag: "Status"; readonly total: number | null }

const chunk = /^bytes (\d{1,16})-(\d{1,16})\/(\d{1,16})$/
const status = /^bytes \*\/(\d{1,16}|\*)$/

/** Message of a refused header. */
export const contentRangeMessage = "Must be bytes <start>-<end>/<total> or bytes */<total>"

/** Reads the header; undefined when it is malformed, ends before it starts or lies beyond its total. */
export const parseContentRange = (header: string): ContentRange | undefined => {
  const asked = status.exec(header)
  if (asked !== null) return { _tag: "Status", total: asked[1] === "*" ? null : Number(asked[1]) }
  const match = chunk.exec(header)
  if (match === null) return undefined
  const [start, end, total] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return start <= end && end < total && Number.isSafeInteger(total) ? { _tag: "Chunk", start, end, total } : undefined
}
