import { MovableObjects, type MoveQuery } from "@kinora/storage/instance/inventory/MovableObjects"
import { type Moved, ObjectMoves } from "@kinora/storage/platform/objects/s3/ObjectMoves"
import type { ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { Effect, Stream } from "effect"

/** How many objects were moved, and what became of the others. */
export interface MoveCounts {
  readonly moved: number
  readonly bytes: number
  /** Neither on disk nor in object storage. */
  readonly gone: number
  /** Their bytes are not those that were stored: they stay where they are. */
  readonly corrupt: number
}

/**
 * Moves everything that is not where it is to be. Ends at the first failure of the object storage or of the disk: what was moved
 * by then stays moved. `onObject` hears of each object that is done.
 */
export const moveAll = Effect.fn("moveAll")(function* (
  query: MoveQuery,
  atOnce: number,
  onObject: (key: ObjectKey, result: Moved | "corrupt") => Effect.Effect<void>
) {
  const movable = yield* MovableObjects
  const moves = yield* ObjectMoves
  const counts = { moved: 0, bytes: 0, gone: 0, corrupt: 0 }
  yield* movable.hold
  yield* movable.list(query).pipe(
    Stream.mapEffect(
      (key) =>
        (query.to === "s3" ? moves.toS3(key) : moves.toDisk(key)).pipe(
          Effect.catchIf(
            (failure) => failure._tag === "S3Failure" && failure.reason === "corrupt",
            () => Effect.succeed("corrupt" as const)
          ),
          Effect.tap((result) =>
            Effect.sync(() => {
              if (result === "corrupt") counts.corrupt++
              else if (result.outcome === "gone") counts.gone++
              else if (result.outcome === "moved") {
                counts.moved++
                counts.bytes += result.bytes
              }
            })
          ),
          Effect.tap((result) => onObject(key, result))
        ),
      { concurrency: atOnce }
    ),
    Stream.runDrain
  )
  return counts satisfies MoveCounts
}, Effect.scoped)
