import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { ObjectStore } from "@kinora/storage/objects/ObjectStore"
import { Context, Effect, Layer, Option, Stream } from "effect"
import { join } from "node:path"
import { openUploadFile } from "../uploads/UploadFile.ts"
import { ProcessingFailed } from "./Outcome.ts"

/** Gets the source of a video as a file the tools can read. */
export class SourceOf extends Context.Service<
  SourceOf,
  {
    /** Absolute path; a file of a remote store is copied into `folder`. */
    readonly local: (filename: string, folder: string) => Effect.Effect<string, ProcessingFailed | InsufficientStorage>
  }
>()("@kinora/node/processing/SourceOf") {
  static readonly layer = Layer.effect(
    SourceOf,
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      const gone = () => new ProcessingFailed({ message: "The uploaded file is missing", final: true })
      return SourceOf.of({
        local: Effect.fn("SourceOf.local")(function* (filename: string, folder: string) {
          const key = { bucket: "original_video_files", name: filename } as const
          yield* Effect.mapError(objects.stat(key), gone)
          const path = objects.localPath(key)
          if (Option.isSome(path)) return path.value
          const copy = join(folder, filename)
          const file = yield* openUploadFile(copy, 0)
          yield* Stream.runForEach(objects.openRead(key), file.write).pipe(
            Effect.catchTag("ObjectNotFound", () => Effect.fail(gone()))
          )
          return copy
        }, Effect.scoped)
      })
    })
  )
}
