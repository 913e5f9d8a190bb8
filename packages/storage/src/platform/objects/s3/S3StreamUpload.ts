import { Effect, Stream } from "effect"
import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"
import { S3Failure } from "./S3Failure.ts"
import type { RetryTries } from "./S3Retries.ts"
import type { makeUploads } from "./S3Upload.ts"

/** An object whose bytes come one after another, and of which there is no file. */
export interface StreamedUpload<E> {
  readonly bucket: string
  readonly key: string
  /** Bytes that `bytes` gives. */
  readonly size: number
  readonly bytes: AsyncIterable<Uint8Array>
  /** What a failure of `bytes` means. */
  readonly failed: (cause: unknown) => E
}

/** Parts of one upload that are on their way at the same time; each is held in memory until it has arrived. */
const partsAtOnce = 2

/** Pieces of `length` bytes, but for the last; one at least, which may be empty. */
const inParts = async function* (bytes: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Buffer> {
  let held: Array<Uint8Array> = []
  let size = 0
  let given = 0
  for await (let piece of bytes) {
    while (size + piece.length >= length) {
      const taken = length - size
      yield Buffer.concat([...held, piece.subarray(0, taken)], length)
      given++
      piece = piece.subarray(taken)
      held = []
      size = 0
    }
    if (piece.length > 0) held.push(piece)
    size += piece.length
  }
  if (size > 0 || given === 0) yield Buffer.concat(held, size)
}

const digestsOf = (bytes: Buffer) => ({
  md5: createHash("md5").update(bytes).digest("hex"),
  body: { bytes, length: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }
})

/**
 * Stores what a stream gives, without a copy on disk: parts are held in memory, each until the service has it, so that a
 * part that fails is sent again. When the stream fails, or gives another number of bytes than was said, nothing is stored.
 * `isWhole`: whether an object of that size is there.
 */
export const makeStreamUpload = (
  uploads: ReturnType<typeof makeUploads>,
  { retry }: RetryTries,
  partBytes: (size: number) => number
) => {
  const wrongSize = (key: string, size: number, found: number) =>
    new S3Failure({ reason: "refused", message: `Storing ${key}: ${found} bytes came instead of ${size}` })

  return Effect.fnUntraced(function* <E>(
    { bucket, bytes, failed, key, size }: StreamedUpload<E>,
    isWhole: Effect.Effect<boolean, S3Failure>
  ) {
    const parts = Stream.fromAsyncIterable(inParts(bytes, partBytes(size)), failed)
    if (size <= partBytes(size)) {
      const [only = Buffer.alloc(0), more] = yield* Stream.runCollect(Stream.take(parts, 2))
      const found = only.length + (more?.length ?? 0)
      if (found !== size) return yield* wrongSize(key, size, found)
      const { body, md5 } = digestsOf(only)
      return yield* Effect.asVoid(retry(uploads.sendBytes({ bucket, key }, md5, body, `Storing ${key}`)))
    }
    const uploadId = yield* retry(uploads.begin({ bucket, key, headers: {} }))
    const etags = new Map<number, string>()
    const whole = createHash("md5")
    let stored = 0
    yield* parts.pipe(
      Stream.map((part) => {
        const { body, md5 } = digestsOf(part)
        whole.update(Buffer.from(md5, "hex"))
        stored += part.length
        return { number: Math.ceil(stored / partBytes(size)), body, md5 }
      }),
      Stream.mapEffect(
        ({ body, md5, number }) =>
          Effect.map(retry(uploads.putPart({ bucket, key }, uploadId, number, md5, body)), (etag) => {
            etags.set(number, etag)
          }),
        { concurrency: partsAtOnce }
      ),
      Stream.runDrain,
      Effect.andThen(Effect.suspend(() => (stored === size ? Effect.void : Effect.fail(wrongSize(key, size, stored))))),
      Effect.onError(() => Effect.ignore(uploads.abort(bucket, key, uploadId)))
    )
    const tag = `${whole.digest("hex")}-${etags.size}`
    yield* uploads.finish({ bucket, key }, uploadId, etags, tag, isWhole)
  })
}
