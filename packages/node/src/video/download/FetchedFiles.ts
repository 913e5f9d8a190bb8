import { InsufficientStorage, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoFileNotFound } from "@kinora/domain/errors/VideoErrors"
import type { FetchError } from "@kinora/federation/fetch/FetchError"
import { GuardedFetch } from "@kinora/federation/fetch/GuardedFetch"
import type { RemotePlace } from "@kinora/storage/video/download/DownloadRows"
import { Context, Duration, Effect, Layer, type Scope } from "effect"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { makeTemporaryFolders } from "../../platform/folders/TemporaryFolders.ts"
import { DownloadSettings } from "./DownloadSettings.ts"

const types = ["video/*", "audio/*", "application/octet-stream", "application/mp4"]

const gone = new Set([404, 410])

/** The origin says that there is no such file, or has trouble of its own. */
const failed = (error: FetchError): Effect.Effect<never, ServiceUnavailable | VideoFileNotFound> => {
  const { reason } = error
  if (reason._tag === "BadStatus" && gone.has(reason.status)) return Effect.fail(new VideoFileNotFound())
  const unavailable = new ServiceUnavailable({
    reason: "The instance of this video does not hand out its files at the moment",
    retryAfterSeconds: 60
  })
  return Effect.andThen(Effect.logInfo("A file of another instance cannot be downloaded", error), unavailable)
}

/** Brings files of other instances for downloads. They are on this disk as long as a download needs them. */
export class FetchedFiles extends Context.Service<
  FetchedFiles,
  {
    /** Absolute path of the file, which goes with the scope. It may not be larger than its instance said. */
    readonly bring: (
      place: RemotePlace
    ) => Effect.Effect<string, ServiceUnavailable | VideoFileNotFound | InsufficientStorage, Scope.Scope>
  }
>()("@kinora/node/downloads/FetchedFiles") {
  static readonly layer = Layer.effect(
    FetchedFiles,
    Effect.gen(function* () {
      const guarded = yield* GuardedFetch
      const { storage } = yield* KinoraConfig
      const { fetchedBytes, fetchedWithin, reserveDisk } = yield* DownloadSettings
      const folders = yield* makeTemporaryFolders(join(storage.tmp, "downloads"), reserveDisk)

      const bring = Effect.fn("FetchedFiles.bring")(function* ({ size, url }: RemotePlace) {
        if (size > fetchedBytes || size > (yield* folders.free)) return yield* new InsufficientStorage()
        const path = join(yield* folders.make(randomUUID()), "file")
        const wholeMillis = Duration.toMillis(fetchedWithin)
        yield* Effect.catch(guarded.toFile(url, path, { types, maxBytes: Math.max(1, size), wholeMillis }), failed)
        return path
      })

      return FetchedFiles.of({ bring })
    })
  )
}
