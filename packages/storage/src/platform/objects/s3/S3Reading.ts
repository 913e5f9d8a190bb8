import { Effect, Stream } from "effect"
import type { ByteRange } from "../ObjectStore.ts"
import { broken, type makeExchange, type S3Response } from "./S3Exchange.ts"
import { mayRecover, S3Failure } from "./S3Failure.ts"
import type { RetryTries } from "./S3Retries.ts"

/** After so many bytes a connection counts as having worked: when it breaks, the tries begin anew. */
const progressBytes = 1024 * 1024

const rangeOf = ({ end, start }: ByteRange) => `bytes=${start}-${end}`

/** Where the answer to a range begins; undefined where it is none. */
const beginsAt = ({ headers, statusCode }: S3Response): number | undefined => {
  if (statusCode === 200) return 0
  const found = /^bytes (\d+)-/.exec(headers["content-range"] ?? "")?.[1]
  return found === undefined ? undefined : Number(found)
}

/**
 * The bytes of a range of an object. A connection that breaks is followed by another, for what is missing: what arrives is
 * whole and in order, or the stream fails. Nothing is read ahead of the reader but what the socket holds.
 */
export const readRange = (
  exchange: ReturnType<typeof makeExchange>,
  retries: RetryTries,
  object: { readonly bucket: string; readonly key: string },
  range: ByteRange
): Stream.Stream<Uint8Array, S3Failure> => {
  const from = (start: number, tries: number): Stream.Stream<Uint8Array, S3Failure> => {
    let at = start
    const again = (failure: S3Failure): Stream.Stream<Uint8Array, S3Failure> => {
      const left = at - start >= progressBytes ? retries.attempts : tries - 1
      if (left <= 0 || !mayRecover(failure)) return Stream.fail(failure)
      return Stream.unwrap(Effect.as(retries.pause(retries.attempts - left), from(at, left)))
    }
    const open = Effect.gen(function* () {
      const response = yield* Effect.acquireRelease(
        exchange.send(
          { ...object, method: "GET", headers: { range: rangeOf({ start, end: range.end }) } },
          `Reading ${object.key}`
        ),
        ({ body }) => Effect.sync(() => body.destroy())
      )
      if (beginsAt(response) !== start) {
        return yield* new S3Failure({
          reason: "corrupt",
          message: `Reading ${object.key}: the object storage sent another range than was asked for`
        })
      }
      return Stream.fromAsyncIterable(response.body as AsyncIterable<Uint8Array>, broken)
    })
    const missing = Stream.suspend(() =>
      at > range.end
        ? Stream.empty
        : Stream.fail(
            new S3Failure({ reason: "unreachable", code: "ECUT", message: `Reading ${object.key}: bytes are missing` })
          )
    )
    return Stream.unwrap(open).pipe(
      Stream.map((bytes) => bytes.subarray(0, range.end + 1 - at)),
      Stream.tap((bytes) =>
        Effect.sync(() => {
          at += bytes.length
        })
      ),
      Stream.concat(missing),
      Stream.catch(again)
    )
  }
  return from(range.start, retries.attempts)
}
