import { Context, Data, Deferred, Effect, Layer } from "effect"
import { makeWakeup, type Wakeup } from "../../platform/jobs/Wakeup.ts"

/** A user cancelled the import. */
export class ImportCancelled extends Data.TaggedError("ImportCancelled")<{ readonly importId: number }> {}

/**
 * Notifies workers of this process of new and cancelled imports, so that they need not wait for the next query. Other
 * processes see the change in the database.
 */
export class ImportWakeups extends Context.Service<
  ImportWakeups,
  Wakeup & {
    /** An import was cancelled. */
    readonly cancelled: (importId: number) => Effect.Effect<void>
    /** Runs work that is interrupted as soon as the import is cancelled. */
    readonly unlessCancelled: <A, E, R>(
      importId: number,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | ImportCancelled, R>
  }
>()("@kinora/node/imports/ImportWakeups") {
  static readonly layer = Layer.effect(
    ImportWakeups,
    Effect.gen(function* () {
      const wakeup = yield* makeWakeup
      const running = new Map<number, Deferred.Deferred<never, ImportCancelled>>()
      return ImportWakeups.of({
        ...wakeup,
        cancelled: (importId) =>
          Effect.suspend(() => {
            const run = running.get(importId)
            return run === undefined
              ? Effect.void
              : Effect.asVoid(Deferred.fail(run, new ImportCancelled({ importId })))
          }),
        unlessCancelled: Effect.fnUntraced(function* (importId, work) {
          const run = yield* Deferred.make<never, ImportCancelled>()
          running.set(importId, run)
          return yield* Effect.raceFirst(work, Deferred.await(run)).pipe(
            Effect.ensuring(Effect.sync(() => running.delete(importId)))
          )
        })
      })
    })
  )
}
