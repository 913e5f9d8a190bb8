import { FileNotFound } from "@kinora/domain/errors/VideoErrors"
import type { PreconditionFailed, RangeNotSatisfiable } from "@kinora/domain/errors/RequestErrors"
import { isValidKey, type ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { ByteServing } from "../../platform/http/ByteServing.ts"
import { fileType } from "./FileTypes.ts"

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
      headers?: Record<string, string>
    ) => Effect.Effect<HttpServerResponse, FileNotFound | RangeNotSatisfiable | PreconditionFailed>
  }
>()("@kinora/node/files/ServedBucket") {
  static readonly layer = Layer.effect(
    ServedBucket,
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const bytes = yield* ByteServing
      return ServedBucket.of({
        serve: (request, key, cacheControl, headers = {}) => {
          if (!isValidKey(key)) return Effect.fail(new FileNotFound())
          const path = store.localPath(key)
          if (Option.isNone(path)) return Effect.fail(new FileNotFound())
          return bytes.serve(request, { path: path.value, contentType: fileType(key.name), cacheControl, headers })
        }
      })
    })
  )
}
