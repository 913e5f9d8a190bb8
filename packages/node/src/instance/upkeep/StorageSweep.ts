import { OldRows } from "@kinora/storage/instance/inventory/OldRows"
import { StorageCheck } from "@kinora/storage/instance/inventory/StorageCheck"
import { Duration, Effect, Layer, Stream } from "effect"
import { runOnce } from "../../platform/cluster/Placement.ts"
import { every } from "../../platform/supervision/Every.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"

/** Files that are younger may be about to be used: longer than any work on a video takes. */
export const safeAge = Duration.days(3)

const batch = 10_000
const interval = Duration.days(1)
/** A start is busy with other things. */
const firstDelay = Duration.minutes(30)

/** Queues files for their removal that belong to no row: what a crash or a restored backup left. */
const sweepStorage = Effect.gen(function* () {
  const storage = yield* StorageCheck
  let removed = 0
  yield* storage.orphans(safeAge).pipe(
    Stream.map(({ key }) => key),
    Stream.grouped(batch),
    Stream.runForEach((keys) => Effect.map(storage.remove(keys), (count) => void (removed += count)))
  )
  if (removed > 0) yield* Effect.logInfo(`${removed} files that belonged to nothing are removed`)
  return removed
}).pipe(Effect.withSpan("StorageSweep.sweep"))

/** Removes files that belong to nothing, and rows that are too old, once a day. */
export const StorageSweep = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const storage = yield* StorageCheck
    const oldRows = yield* OldRows
    const sweep = Effect.provideService(sweepStorage, StorageCheck, storage)
    yield* runOnce("storage sweep", Effect.delay(every(interval, sweep), firstDelay))
    yield* runOnce("old rows", Effect.delay(every(interval, oldRows.remove), firstDelay))
    yield* supervisor.offer("old rows", oldRows.remove)
  })
).pipe(Layer.provide(Layer.merge(StorageCheck.layer, OldRows.layer)))
