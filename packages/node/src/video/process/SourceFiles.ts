import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Context, Effect, Layer, Semaphore } from "effect"
import { isUploadId, UploadDisk } from "../staging/UploadDisk.ts"

/** Moves uploaded files into the object store. */
export class SourceFiles extends Context.Service<
  SourceFiles,
  {
    /**
     * Moves the file of an upload to the object name of its video. Idempotent: after a crash, the next caller finishes
     * the move.
     */
    readonly adopt: (uploadId: string, filename: string) => Effect.Effect<void, InsufficientStorage>
  }
>()("@kinora/node/processing/SourceFiles") {
  static readonly layer = Layer.effect(
    SourceFiles,
    Effect.gen(function* () {
      const disk = yield* UploadDisk
      const objects = yield* ObjectStore
      // The request that finished the upload and the following job may run at the same time.
      const turn = yield* Semaphore.make(1)
      return SourceFiles.of({
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
