import {
  type BadRequest,
  InvalidParameters,
  MalformedJson,
  PayloadTooLarge,
  type RequestTimeout,
  UnsupportedContentType
} from "@kinora/domain/errors/RequestErrors"
import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Exit, Layer, Pull, Schema, Scope } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { normaliseFields } from "../http/FormFields.ts"
import { readMultipart } from "./MultipartBody.ts"
import { bodyOf } from "./RequestBody.ts"
import { ignored, isPictureField, pictureSink } from "./PictureSink.ts"
import { timedBody } from "./TimedBody.ts"
import { UploadDisk } from "./UploadDisk.ts"
import type { PictureField } from "./UploadPictures.ts"
import { UploadSettings } from "./UploadSettings.ts"

type Refused =
  | InvalidParameters
  | BadRequest
  | MalformedJson
  | PayloadTooLarge
  | RequestTimeout
  | UnsupportedContentType
  | InsufficientStorage

/** Bytes of a body without pictures. */
const maxText = 1024 * 1024

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))

const make = Effect.gen(function* () {
  const settings = yield* UploadSettings
  const disk = yield* UploadDisk

  const text = Effect.fnUntraced(function* (request: HttpServerRequest) {
    const { next } = yield* timedBody(bodyOf(request), settings)
    const parts: Array<Uint8Array> = []
    let size = 0
    const read = Effect.gen(function* () {
      while (true) {
        for (const chunk of yield* next) {
          parts.push(chunk)
          size += chunk.length
        }
        if (size > maxText) return yield* new PayloadTooLarge({ maxBytes: maxText })
      }
    })
    yield* Pull.catchDone(read, () => Effect.void)
    return Buffer.concat(parts).toString("utf8")
  })

  const multipart = Effect.fnUntraced(function* (request: HttpServerRequest, id: string) {
    const scope = yield* Effect.scope
    const files = new Map<PictureField, string>()
    const { next } = yield* timedBody(bodyOf(request), settings)
    const entries = yield* readMultipart<BadRequest | RequestTimeout, InsufficientStorage | InvalidParameters>({
      headers: request.headers,
      next,
      onBytes: Effect.void,
      onFile: Effect.fnUntraced(function* (info) {
        if (!isPictureField(info.name) || files.has(info.name)) return ignored
        const path = disk.besides(id, info.name)
        files.set(info.name, path)
        return yield* Scope.provide(pictureSink(info.name, path), scope)
      })
    })
    return { input: normaliseFields(entries, "body"), files }
  })

  const parse = Effect.fnUntraced(function* (request: HttpServerRequest, id: string) {
    const contentType = (request.headers["content-type"] ?? "application/json").split(";", 1)[0]!.trim().toLowerCase()
    const files = new Map<PictureField, string>()
    switch (contentType) {
      case "multipart/form-data":
        return yield* multipart(request, id)
      case "application/x-www-form-urlencoded":
        return { input: normaliseFields(new URLSearchParams(yield* text(request)), "body"), files }
      case "application/json": {
        const body = yield* text(request)
        const input = body === "" ? {} : yield* Effect.mapError(decodeJson(body), () => new MalformedJson())
        return { input, files }
      }
      default:
        return yield* new UnsupportedContentType({ contentType })
    }
  })

  return CreateBody.of({
    read: Effect.fn("CreateBody.read")(function* (request, id, use) {
      return yield* Effect.gen(function* () {
        const { files, input } = yield* Effect.scoped(parse(request, id))
        if (input instanceof InvalidParameters) return yield* input
        return yield* use(input, files)
      }).pipe(Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : disk.remove(id))))
    })
  })
})

/** Reads what creates a resumable upload: JSON, a form, or a form with pictures. */
export class CreateBody extends Context.Service<
  CreateBody,
  {
    /** Pictures are put beside the upload `id`; they go when `use` fails. */
    readonly read: <A, E, R>(
      request: HttpServerRequest,
      id: string,
      use: (input: unknown, files: ReadonlyMap<PictureField, string>) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | Refused, R>
  }
>()("@kinora/node/uploads/CreateBody") {
  static readonly layer = Layer.effect(CreateBody, make)
}
