import { createHash } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { link } from "node:fs/promises"
import { Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"

/** What was read of a file. */
export interface Digest {
  /** Bytes. */
  readonly size: number
  readonly sha256: string
}

/** Takes bytes as they pass. */
class Counter extends Transform {
  readonly #hash = createHash("sha256")
  #size = 0

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.#hash.update(chunk)
    this.#size += chunk.length
    done(null, chunk)
  }

  get digest(): Digest {
    return { size: this.#size, sha256: this.#hash.digest("hex") }
  }
}

/** Size and SHA-256 of what a stream gives. */
export const digested = async (bytes: Readable, signal?: AbortSignal): Promise<Digest> => {
  const counter = new Counter()
  counter.resume()
  await pipeline(bytes, counter, { ...(signal ? { signal } : {}) })
  return counter.digest
}

/** The first bytes of a file. */
export const firstBytes = (path: string, length: number): Readable =>
  length === 0 ? Readable.from([]) : createReadStream(path, { end: length - 1, highWaterMark: 256 * 1024 })

/** Size and SHA-256 of a file, or of its first bytes. */
export const digestOf = (path: string, signal?: AbortSignal, length = Infinity): Promise<Digest> =>
  digested(firstBytes(path, length), signal)

/** Writes what a stream gives to a file whose name must be new, to the disk when this is done, and digests it. */
export const writeDigested = async (
  bytes: Readable,
  to: string,
  mode: number,
  signal?: AbortSignal
): Promise<Digest> => {
  const counter = new Counter()
  const target = createWriteStream(to, { flags: "wx", mode, flush: true })
  await pipeline(bytes, counter, target, { ...(signal ? { signal } : {}) })
  return counter.digest
}

/** Copies a file to a name that must be new. */
export const copyFile = (from: string, to: string, mode: number, signal?: AbortSignal): Promise<Digest> =>
  writeDigested(createReadStream(from), to, mode, signal)

/** Other devices, and file systems without hard links. */
const unlinkable = new Set(["EXDEV", "EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])

/** Gives a file that never changes a second name where that can be, else copies it. */
export const linkOrCopy = async (from: string, to: string, mode: number, signal?: AbortSignal): Promise<Digest> => {
  try {
    await link(from, to)
  } catch (cause) {
    if (!unlinkable.has((cause as NodeJS.ErrnoException).code ?? "")) throw cause
    return await copyFile(from, to, mode, signal)
  }
  return await digestOf(to, signal)
}
