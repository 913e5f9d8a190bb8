import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Context, Effect, Layer, Semaphore } from "effect"
import { copyFile, link, rm } from "node:fs/promises"
import { onDisk } from "../../platform/body/UploadFile.ts"
import { isUploadId, UploadDisk } from "../staging/UploadDisk.ts"
import { sourcesGoTo, UploadSettings } from "../staging/UploadSettings.ts"

/** Not every file system has second names. */
const linkOrCopy = async (from: string, to: string): Promise<void> => {
  await rm(to, { force: true })
  await link(from, to).catch(() => copyFile(from, to))
}

/** Moves uploaded files into the object store. */
export class SourceFiles extends Context.Service<
  SourceFiles,
  {
    /** Stores the file of an upload under the object name of its video. The upload keeps its own, until it is removed. */
    readonly store: (uploadId: string, filename: string) => Effect.Effect<void, InsufficientStorage>
    /**
     * For jobs of version 0.1.0, whose uploads were not stored yet: moves the file. Idempotent.
     */
    readonly adopt: (uploadId: string, filename: string) => Effect.Effect<void, InsufficientStorage>
  }
>()("@kinora/node/processing/SourceFiles") {
  static readonly layer = Layer.effect(
    SourceFiles,
    Effect.gen(function* () {
      const disk = yield* UploadDisk
      const objects = yield* ObjectStore
      const settings = yield* UploadSettings
      // The request that finished the upload and the following job may run at the same time.
      const turn = yield* Semaphore.make(1)
      const store = Effect.fn("SourceFiles.store")(function* (uploadId: string, filename: string) {
        // A second name: the store takes a file away, and bytes of an upload stay until its video is there.
        const second = disk.besides(uploadId, "source")
        yield* onDisk(() => linkOrCopy(disk.path(uploadId), second))
        yield* objects
          .put({ bucket: "original_video_files", name: filename }, second, sourcesGoTo(settings))
          .pipe(Effect.onError(() => Effect.promise(() => rm(second, { force: true }))))
      }, Effect.uninterruptible)

      return SourceFiles.of({
        store,
        adopt: Effect.fn("SourceFiles.adopt")(
          function* (uploadId: string, filename: string) {
            if (!isUploadId(uploadId) || (yield* disk.size(uploadId)) === 0) return
            const key = { bucket: "original_video_files", name: filename } as const
            // It is read from end to end next; `SettleOriginals` moves it on.
            yield* objects.put(key, disk.path(uploadId), "disk").pipe(
              // Another node that shares the files may have moved it since its size was read.
              Effect.catchDefect((defect) =>
                Effect.catchTag(objects.stat(key), "ObjectNotFound", () => Effect.die(defect))
              )
            )
          },
          turn.withPermits(1),
          Effect.uninterruptible
        )
      })
    })
  )
}
