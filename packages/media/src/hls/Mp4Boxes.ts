/** A box of an ISO base media file (ISO/IEC 14496-12 §4.2). Offsets count from the start of the given bytes. */
export interface Box {
  readonly type: string
  readonly start: number
  /** Where the content begins, after size and type. */
  readonly content: number
  readonly end: number
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Reads a box header; undefined when fewer than its 8 or 16 bytes are there or the size is impossible. `end` may lie beyond. */
export const readHeader = (bytes: Uint8Array, at: number, limit: number): Box | undefined => {
  if (at + 8 > bytes.length) return undefined
  const data = view(bytes)
  const short = data.getUint32(at)
  const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
  if (short === 1) {
    if (at + 16 > bytes.length) return undefined
    const long = Number(data.getBigUint64(at + 8))
    return long < 16 ? undefined : { type, start: at, content: at + 16, end: at + long }
  }
  if (short === 0) return { type, start: at, content: at + 8, end: limit }
  return short < 8 ? undefined : { type, start: at, content: at + 8, end: at + short }
}

/** The boxes between two offsets. Stops at the first invalid one. */
export const children = (bytes: Uint8Array, from: number, to: number): ReadonlyArray<Box> => {
  const boxes: Array<Box> = []
  let at = from
  while (at < to) {
    const box = readHeader(bytes, at, to)
    if (box === undefined || box.end > to) break
    boxes.push(box)
    at = box.end
  }
  return boxes
}

/** The first box along a path of types, for example `["mdia", "minf"]` within a track. */
export const find = (bytes: Uint8Array, within: Box, path: ReadonlyArray<string>): Box | undefined => {
  let current: Box | undefined = within
  for (const type of path) {
    if (current === undefined) return undefined
    current = children(bytes, current.content, current.end).find((box) => box.type === type)
  }
  return current
}

/** Boxes of one type directly within another. */
export const findAll = (bytes: Uint8Array, within: Box, type: string): ReadonlyArray<Box> =>
  children(bytes, within.content, within.end).filter((box) => box.type === type)
