import { constraints } from "@kinora/domain/enums/Constraints"
import { MaxFileSizeReached } from "@kinora/domain/errors/UploadErrors"
import {
  type BadRequest,
  InvalidParameters,
  type PayloadTooLarge,
  type RequestTimeout,
  UnsupportedContentType
} from "@kinora/domain/errors/RequestErrors"
import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Context, Duration, Effect, Layer, Scope } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type FileSink, readMultipart } from "../../platform/body/MultipartBody.ts"
import { ignored } from "../../platform/body/MultipartBody.ts"
import { bodyOf } from "../../platform/body/RequestBody.ts"
import { bodyTimeLimits, timedBody } from "../../platform/body/TimedBody.ts"
import { onDisk, openUploadFile } from "../../platform/body/UploadFile.ts"
import { imageField, type UploadedImage } from "./ImageField.ts"

type Refused =
  | InvalidParameters
  | BadRequest
  | PayloadTooLarge
  | MaxFileSizeReached
  | UnsupportedContentType
  | RequestTimeout
  | InsufficientStorage

const { maxBytes } = constraints.actorImage
/** At most this much for boundaries and other fields of the form. */
const overhead = 64 * 1024
const limits = { ...bodyTimeLimits, total: Duration.minutes(10) }

const isTooLong = (request: HttpServerRequest): boolean => {
  const length = request.headers["content-length"]
  return length !== undefined && Number(length) > maxBytes + overhead
}

/** Writes an image to a file, up to the size limit of actor images. */
const sinkTo = Effect.fnUntraced(function* (
  path: string
): Effect.fn.Return<FileSink<MaxFileSizeReached | InsufficientStorage>, InsufficientStorage, Scope.Scope> {
  const file = yield* openUploadFile(path, 0)
  return {
    write: (chunk) =>
      file.position + chunk.length > maxBytes ? Effect.fail(new MaxFileSizeReached({ maxBytes })) : file.write(chunk),
    end: Effect.void
  }
})

/**
 * Reads a form with an image, `avatarfile`, `bannerfile` or `logofile`, into `storage.tmp`. What a killed process left
 * there is deleted when the layer is built.
 */
export class ImageUpload extends Context.Service<
  ImageUpload,
  {
    /**
     * Returns the path of the file, in a folder of its own; both are deleted when the scope closes. The content is not
     * checked yet. Larger than 8 MiB: 413 with `X-File-Maximum-Size`, in bytes.
     */
    readonly read: (request: HttpServerRequest, image: UploadedImage) => Effect.Effect<string, Refused, Scope.Scope>
  }
>()("@kinora/node/actors/ImageUpload") {
  static readonly layer = Layer.effect(
    ImageUpload,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const parent = join(config.storage.tmp, "pictures")
      const remove = (path: string) => Effect.promise(() => rm(path, { recursive: true, force: true }))
      // What a killed process left.
      yield* remove(parent)

      const folder = Effect.acquireRelease(
        onDisk(async () => {
          await mkdir(parent, { recursive: true, mode: 0o700 })
          return await mkdtemp(join(parent, "picture-"))
        }),
        remove
      )

      const receive = Effect.fnUntraced(function* (request: HttpServerRequest, field: string, path: string) {
        const scope = yield* Effect.scope
        const { next } = yield* timedBody(bodyOf(request), limits)
        let bytes = -1
        let total = 0
        yield* readMultipart<
          BadRequest | RequestTimeout | MaxFileSizeReached,
          MaxFileSizeReached | InsufficientStorage
        >({
          headers: request.headers,
          next: Effect.flatMap(next, (chunks) => {
            for (const chunk of chunks) total += chunk.length
            return total > maxBytes + overhead
              ? Effect.fail(new MaxFileSizeReached({ maxBytes }))
              : Effect.succeed(chunks)
          }),
          onBytes: Effect.void,
          onFile: Effect.fnUntraced(function* (info) {
            if (info.name !== field || bytes >= 0) return ignored
            bytes = 0
            const sink = yield* Scope.provide(sinkTo(path), scope)
            return {
              ...sink,
              write: (chunk: Uint8Array) => {
                bytes += chunk.length
                return sink.write(chunk)
              }
            }
          })
        })
        return bytes
      }, Effect.scoped)

      const read = Effect.fn("ImageUpload.read")(function* (request: HttpServerRequest, image: UploadedImage) {
        const contentType = request.headers["content-type"] ?? ""
        if (!/^multipart\/form-data *;/i.test(contentType)) return yield* new UnsupportedContentType({ contentType })
        if (isTooLong(request)) return yield* new MaxFileSizeReached({ maxBytes })
        const field = imageField(image)
        const path = join(yield* folder, "picture")
        const bytes = yield* receive(request, field, path)
        if (bytes <= 0) return yield* InvalidParameters.one(field, "Must be a picture", "body")
        return path
      })

      return ImageUpload.of({ read })
    })
  )
}
