import { createHash } from "node:crypto"
import { open } from "node:fs/promises"

const bufferBytes = 256 * 1024
/** Buffers that nobody uses at the moment. New memory for each segment of each live would keep the garbage collector at work. */
const spare: Array<Buffer> = []
const maxSpare = 8

/** Size in bytes and SHA-256 (hexadecimal) of a segment's file. */
export const segmentDigest = async (path: string): Promise<{ readonly bytes: number; readonly digest: string }> => {
  const hash = createHash("sha256")
  const buffer = spare.pop() ?? Buffer.allocUnsafeSlow(bufferBytes)
  const file = await open(path)
  let bytes = 0
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, bufferBytes)
      if (bytesRead === 0) break
      hash.update(buffer.subarray(0, bytesRead))
      bytes += bytesRead
    }
  } finally {
    await file.close()
    if (spare.length < maxSpare) spare.push(buffer)
  }
  return { bytes, digest: hash.digest("hex") }
}
