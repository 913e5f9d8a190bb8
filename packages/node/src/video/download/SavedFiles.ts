import type { PreconditionFailed, RangeNotSatisfiable } from "@kinora/domain/errors/RequestErrors"
import { FileNotFound } from "@kinora/domain/errors/VideoErrors"
import type { ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { ByteServing } from "../../platform/http/ByteServing.ts"
import { serveS3 } from "../file/S3Serving.ts"
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
      const { proxy } = (yield* KinoraConfig).object_storage
      return SavedFiles.of({
        serve: (request, key, as) => {
          const address = Option.getOrElse(request.remoteAddress, () => "")
          const pace = paces.of(address)
          return Effect.mapError(store.place(key), () => new FileNotFound()).pipe(
            Effect.flatMap((place) =>
              place._tag === "Disk"
                ? bytes.serve(request, { ...as, path: place.path, pace })
                : serveS3(store, request, key, place, { ...as, pace, proxied: proxy.proxify_private_files })
            )
          )
        }
      })
    })
  )
}
