/** The size of an element whose end is not known when it begins. */
const unknownSize = Buffer.from([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])

const idBytes = (id: number): Buffer => {
  const length = id > 0xff_ff_ff ? 4 : id > 0xff_ff ? 3 : id > 0xff ? 2 : 1
  const bytes = Buffer.alloc(length)
  bytes.writeUIntBE(id, 0, length)
  return bytes
}

/** The size of an element (RFC 8794, 4), in 4 bytes: up to 256 MiB. */
const sizeBytes = (size: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(0x10_00_00_00 + size)
  return bytes
}

/** An element with its content. */
export const element = (id: number, ...contents: ReadonlyArray<Uint8Array>): Buffer => {
  const size = contents.reduce((sum, { length }) => sum + length, 0)
  return Buffer.concat([idBytes(id), sizeBytes(size), ...contents])
}

/** The beginning of an element that lasts until another of its level begins, or the stream ends. */
export const openElement = (id: number): Buffer => Buffer.concat([idBytes(id), unknownSize])

/** A whole number without sign, up to 48 bits. */
export const unsigned = (id: number, value: number): Buffer => {
  const bytes = Buffer.alloc(6)
  bytes.writeUIntBE(value, 0, 6)
  return element(id, bytes)
}

export const float = (id: number, value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return element(id, bytes)
}

export const string = (id: number, value: string): Buffer => element(id, Buffer.from(value, "utf8"))
