import type { PreconditionFailed, RangeNotSatisfiable } from "@kinora/domain/errors/RequestErrors"
import { FileNotFound } from "@kinora/domain/errors/VideoErrors"
import { isValidKey, type ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { ByteServing } from "../../platform/http/ByteServing.ts"
import { DownloadPace } from "./DownloadPace.ts"

/** How a file is saved: its response headers, without those that describe the bytes. */
export interface SavedAs {
  readonly contentType: string
  readonly contentDisposition: string
  readonly cacheControl: string
}

/** Serves stored files as downloads, with ranges and conditional requests, throttled. */
export class SavedFiles extends Context.Service<
  SavedFiles,
  {
    readonly serve: (
      request: HttpServerRequest,
      key: ObjectKey,
      as: SavedAs
    ) => Effect.Effect<HttpServerResponse, FileNotFound | RangeNotSatisfiable | PreconditionFailed>
  }
>()("@kinora/node/downloads/SavedFiles") {
  static readonly layer = Layer.effect(
    SavedFiles,
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const bytes = yield* ByteServing
      const paces = yield* DownloadPace
      return SavedFiles.of({
        serve: (request, key, as) => {
          const path = isValidKey(key) ? store.localPath(key) : Option.none()
          if (Option.isNone(path)) return Effect.fail(new FileNotFound())
          const address = Option.getOrElse(request.remoteAddress, () => "")
          return bytes.serve(request, { ...as, path: path.value, pace: paces.of(address) })
        }
      })
    })
  )
}
