import {
  type BadRequest,
  InvalidParameters,
  MalformedJson,
  PayloadTooLarge,
  type RequestTimeout,
  UnsupportedContentType
} from "@kinora/domain/errors/RequestErrors"
import { Duration, Effect, Schema, Scope } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { PartInfo } from "effect/http/MultipartParser"
import { normaliseFields } from "../http/FormFields.ts"
import { type FileSink, readMultipart } from "./MultipartBody.ts"
import { bodyOf } from "./RequestBody.ts"
import { bodyTimeLimits, timedBody, type TimeLimits } from "./TimedBody.ts"

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))

const timeLimits = { ...bodyTimeLimits, total: Duration.minutes(10) }

/** What reading a body can be refused for, whatever its files are. */
export type BodyRefused =
  | InvalidParameters
  | BadRequest
  | MalformedJson
  | PayloadTooLarge
  | RequestTimeout
  | UnsupportedContentType

interface Options<E> {
  /** Bytes a form may have in all, files included. */
  readonly maxBytes: number
  /** Bytes a form may have besides its files; `maxBytes` when absent. */
  readonly maxFieldBytes?: number
  /** Called with each field of a multipart form as it arrives: before the files that follow it. */
  readonly onField?: (name: string, value: string) => void
  /** How slow a form may be sent; at most ten minutes when absent. */
  readonly limits?: TimeLimits
  /** The body where it is text; what the server has read of it when absent. */
  readonly text?: Effect.Effect<string, BodyRefused>
  /** Where a file of the form goes; sinks live until the body is read. */
  readonly onFile: (info: PartInfo) => Effect.Effect<FileSink<E>, E, Scope.Scope>
}

const readForm = Effect.fnUntraced(function* <E>(request: HttpServerRequest, options: Options<E>) {
  const { maxBytes, maxFieldBytes = maxBytes, onField, onFile } = options
  const scope = yield* Effect.scope
  const { next } = yield* timedBody(bodyOf(request), options.limits ?? timeLimits)
  let [total, ofFiles] = [0, 0]
  const tooLarge = () =>
    total > maxBytes
      ? new PayloadTooLarge({ maxBytes })
      : total - ofFiles > maxFieldBytes
        ? new PayloadTooLarge({ maxBytes: maxFieldBytes })
        : undefined
  const counted = Effect.suspend(() => {
    // What was read before has been parsed by now.
    const refused = tooLarge()
    if (refused !== undefined) return Effect.fail(refused)
    return Effect.flatMap(next, (chunks) => {
      for (const chunk of chunks) total += chunk.length
      return total > maxBytes ? Effect.fail(new PayloadTooLarge({ maxBytes })) : Effect.succeed(chunks)
    })
  })
  const counting = (sink: FileSink<E>): FileSink<E> => ({
    write: (chunk) => {
      ofFiles += chunk.length
      return sink.write(chunk)
    },
    end: sink.end
  })
  const entries = yield* readMultipart<BadRequest | RequestTimeout | PayloadTooLarge, E>({
    headers: request.headers,
    next: counted,
    onBytes: Effect.void,
    onFile: (info) => Effect.map(Scope.provide(onFile(info), scope), counting),
    ...(onField === undefined ? {} : { onField })
  })
  const refused = tooLarge()
  if (refused !== undefined) return yield* refused
  return normaliseFields(entries, "body")
}, Effect.scoped)

/**
 * The fields of a body that may bring files: a multipart form, a form without files, or JSON. No body at all has no
 * fields. What they mean is not looked at yet.
 */
export const readFields = Effect.fn("FieldsBody.readFields")(function* <E>(
  request: HttpServerRequest,
  options: Options<E>
): Effect.fn.Return<unknown, E | BodyRefused> {
  const contentType = (request.headers["content-type"] ?? "application/json").split(";", 1)[0]!.trim().toLowerCase()
  // The HTTP layer reports a body that cannot be read or is too large.
  const text = options.text ?? Effect.orDie(request.text)
  switch (contentType) {
    case "multipart/form-data": {
      const fields = yield* readForm(request, options)
      return fields instanceof InvalidParameters ? yield* fields : fields
    }
    case "application/x-www-form-urlencoded": {
      const fields = normaliseFields(new URLSearchParams(yield* text), "body")
      return fields instanceof InvalidParameters ? yield* fields : fields
    }
    case "application/json": {
      const body = yield* text
      return body === "" ? {} : yield* Effect.mapError(decodeJson(body), () => new MalformedJson())
    }
    default:
      return yield* new UnsupportedContentType({ contentType })
  }
})
