import { FileNotFound } from "@kinora/domain/errors/VideoErrors"
import type { PreconditionFailed, RangeNotSatisfiable } from "@kinora/domain/errors/RequestErrors"
import type { ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore, type S3Place } from "@kinora/storage/platform/objects/ObjectStore"
import { Context, Effect, Layer, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { ByteServing } from "../../platform/http/ByteServing.ts"
import { fileType } from "../../platform/http/FileTypes.ts"
import { serveS3 } from "./S3Serving.ts"

/**
 * Serves objects by key. This is the only place where names come from clients, so they are checked against the strict
 * pattern of object names first: nothing outside the buckets can be reached.
 */
export class ServedBucket extends Context.Service<
  ServedBucket,
  {
    readonly serve: (
      request: HttpServerRequest,
      key: ObjectKey,
      cacheControl: string,
      headers?: Record<string, string>,
      /** `here`: the client follows no redirects to where the object is. */
      where?: "here"
    ) => Effect.Effect<HttpServerResponse, FileNotFound | RangeNotSatisfiable | PreconditionFailed, Scope.Scope>
  }
>()("@kinora/node/files/ServedBucket") {
  static readonly layer = Layer.effect(
    ServedBucket,
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const bytes = yield* ByteServing
      const { proxy } = (yield* KinoraConfig).object_storage
      return ServedBucket.of({
        serve: (request, key, cacheControl, headers = {}, where) => {
          const file = { contentType: fileType(key.name), cacheControl, headers }
          const found = Effect.mapError(store.place(key), () => new FileNotFound())
          const fromS3 = (place: S3Place) =>
            serveS3(store, request, key, place, {
              ...file,
              proxied: proxy.proxify_private_files,
              here: where === "here"
            })
          return Effect.flatMap(found, (place) =>
            place._tag === "S3"
              ? fromS3(place)
              : bytes.serve(request, { ...file, path: place.path }).pipe(
                  // A move may have taken it from the disk at this moment.
                  Effect.catchTag("FileNotFound", (error) =>
                    Effect.flatMap(found, (now) => (now._tag === "S3" ? fromS3(now) : Effect.fail(error)))
                  )
                )
          )
        }
      })
    })
  )
}
