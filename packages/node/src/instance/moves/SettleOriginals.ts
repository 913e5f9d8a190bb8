import { MovableObjects } from "@kinora/storage/instance/inventory/MovableObjects"
import { ObjectMoves } from "@kinora/storage/platform/objects/s3/ObjectMoves"
import { Duration, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { s3OptionsOf } from "../../platform/folders/ObjectFolders.ts"
import { every } from "../../platform/supervision/Every.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { moveAll } from "./MoveAll.ts"

const interval = Duration.minutes(1)

/**
 * Uploads stay on disk while they are processed, for which a program reads them from end to end, and go to object storage
 * after that.
 */
export const SettleOriginals = Layer.unwrap(
  Effect.map(KinoraConfig, (config) => {
    const options = s3OptionsOf(config)
    if (options === undefined || !options.storesNew || options.kinds.original_video_files === undefined) {
      return Layer.empty
    }
    const query = { to: "s3", kinds: ["original_video_files"], videos: [] } as const
    const settle = moveAll(query, 1, () => Effect.void).pipe(
      Effect.catchTag("MovesHeld", () => Effect.void),
      Effect.catchTag(["S3Failure", "InsufficientStorage"], (failure) =>
        Effect.logWarning(`Uploaded files wait on disk for the object storage: ${failure.message}`)
      )
    )
    return Layer.effectDiscard(
      Effect.gen(function* () {
        const supervisor = yield* Supervisor
        const context = yield* Effect.context<MovableObjects | ObjectMoves>()
        yield* supervisor.run(
          "originals to object storage",
          Effect.delay(every(interval, Effect.provideContext(settle, context)), interval)
        )
      })
    ).pipe(Layer.provide(Layer.merge(MovableObjects.layer, ObjectMoves.layer(options))))
  })
)
