import { Malformed } from "./Malformed.ts"

/** Reads numbers and vectors from bytes of a peer. Throws `Malformed` where they end too early. */
export class ByteReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  /** A number of 1 to 4 bytes, big-endian. */
  number(size: number): number {
    const at = this.#take(size)
    return this.#bytes.readUIntBE(at, size)
  }

  /** The next bytes; they share the memory of the whole. */
  bytes(size: number): Buffer {
    const at = this.#take(size)
    return this.#bytes.subarray(at, at + size)
  }

  /** Bytes behind their length, which has `size` bytes. */
  vector(size: number): Buffer {
    return this.bytes(this.number(size))
  }

  #take(size: number): number {
    const at = this.#at
    if (size > this.left) throw new Malformed("it ends too early")
    this.#at += size
    return at
  }
}

/** A number as bytes, big-endian. */
export const numberBytes = (value: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(value, 0, size)
  return bytes
}

/** Bytes behind their length, which has `size` bytes. */
export const vectorBytes = (bytes: Uint8Array, size: number): Buffer =>
  Buffer.concat([numberBytes(bytes.length, size), bytes])
