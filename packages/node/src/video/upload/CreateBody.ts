import { type InvalidParameters, PayloadTooLarge } from "@kinora/domain/errors/RequestErrors"
import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Exit, Layer, Pull } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { type BodyRefused, readFields } from "../../platform/body/FieldsBody.ts"
import { bodyOf } from "../../platform/body/RequestBody.ts"
import { isPictureField, pictureSink } from "../staging/PictureSink.ts"
import { ignored } from "../../platform/body/MultipartBody.ts"
import { timedBody } from "../../platform/body/TimedBody.ts"
import { UploadDisk } from "../staging/UploadDisk.ts"
import type { PictureField } from "../staging/UploadPictures.ts"
import { UploadSettings } from "../staging/UploadSettings.ts"

/** Bytes of a body without pictures. */
const maxText = 1024 * 1024

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
  }, Effect.scoped)

  return CreateBody.of({
    read: Effect.fn("CreateBody.read")(function* (request, id, use) {
      const files = new Map<PictureField, string>()
      return yield* readFields<InsufficientStorage | InvalidParameters>(request, {
        // The sinks know how large a picture may be.
        maxBytes: Number.POSITIVE_INFINITY,
        limits: settings,
        text: text(request),
        onFile: Effect.fnUntraced(function* ({ name }) {
          if (!isPictureField(name) || files.has(name)) return ignored
          const path = disk.besides(id, name)
          files.set(name, path)
          return yield* pictureSink(name, path)
        })
      }).pipe(
        Effect.flatMap((input) => use(input, files)),
        Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : disk.remove(id)))
      )
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
    ) => Effect.Effect<A, E | BodyRefused | InsufficientStorage, R>
  }
>()("@kinora/node/uploads/CreateBody") {
  static readonly layer = Layer.effect(CreateBody, make)
}
