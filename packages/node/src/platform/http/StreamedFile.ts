import type { PreconditionFailed, RangeNotSatisfiable } from "@kinora/domain/errors/RequestErrors"
import { Effect, Stream } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { ByteRange } from "./ByteRanges.ts"
import { decide, type DescribedFile } from "./FileDecision.ts"
import type { Pace } from "./Pace.ts"

/** A file whose bytes come from elsewhere. */
export interface StreamedFile<E> extends DescribedFile {
  readonly size: number
  readonly modifiedAt: Date
  readonly etag: string
  readonly read: (range: ByteRange) => Stream.Stream<Uint8Array, E>
  /** Absent: as fast as the client takes it. */
  readonly pace?: Pace | undefined
}

const paced = <E>(bytes: Stream.Stream<Uint8Array, E>, pace: Pace | undefined): Stream.Stream<Uint8Array, E> =>
  pace === undefined
    ? bytes
    : bytes.pipe(
        Stream.flatMap((part) =>
          Stream.fromIterable(
            Array.from({ length: Math.ceil(part.length / pace.chunk) }, (_, index) =>
              part.subarray(index * pace.chunk, (index + 1) * pace.chunk)
            )
          )
        ),
        Stream.tap((part) => Effect.suspend(() => Effect.sleep(Math.max(0, pace.take(part.length)))))
      )

/** Answers with the file or the ranges that are asked for, by the same rules as a local file. Nothing is read ahead. */
export const streamFile = <E>(
  request: HttpServerRequest,
  file: StreamedFile<E>
): Effect.Effect<HttpServerResponse.HttpServerResponse, RangeNotSatisfiable | PreconditionFailed> => {
  const decided = decide(request, file, {
    size: file.size,
    etag: file.etag,
    modifiedMillis: file.modifiedAt.getTime(),
    lastModified: file.modifiedAt.toUTCString()
  })
  if (decided._tag === "Refused") return Effect.fail(decided.error)
  if (decided._tag === "Empty") return Effect.succeed(decided.response)
  const { bytes, headers, pieces, status } = decided
  if (request.method === "HEAD") {
    return Effect.succeed(
      HttpServerResponse.empty({ status, headers: { ...headers, "content-length": String(bytes) } })
    )
  }
  const body = Stream.fromIterable(pieces).pipe(
    Stream.flatMap((piece): Stream.Stream<Uint8Array, E> =>
      "bytes" in piece ? Stream.succeed(piece.bytes) : file.read(piece)
    )
  )
  return Effect.succeed(HttpServerResponse.stream(paced(body, file.pace), { status, headers, contentLength: bytes }))
}
