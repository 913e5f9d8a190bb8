/** Bytes of a pooled buffer; the size at which reading and writing a file on loopback is fastest. */
const largeChunk = 256 * 1024
const smallChunk = 32 * 1024
/** Large buffers that may be out at once: beyond, clients share smaller ones and memory stays bounded. */
const maxLarge = 96
const maxIdle = 32

/** Buffers that are used again, so that serving files makes no garbage. */
export const makeBufferPool = () => {
  const idle: Array<Buffer> = []
  let out = 0
  /** A buffer for a read of so many bytes; it may be smaller than asked. */
  const take = (wanted: number): Buffer => {
    if (wanted <= smallChunk || out >= maxLarge) return Buffer.allocUnsafe(Math.min(wanted, smallChunk))
    out++
    return idle.pop() ?? Buffer.allocUnsafeSlow(largeChunk)
  }
  /** Gives a buffer back; `reusable` is false when the kernel may still read it. */
  const give = (buffer: Buffer, reusable: boolean): void => {
    if (buffer.length !== largeChunk) return
    out--
    if (reusable && idle.length < maxIdle) idle.push(buffer)
  }
  return { take, give, out: () => out }
}

export type BufferPool = ReturnType<typeof makeBufferPool>
