import { Context, Data, Deferred, Effect, Layer, Queue } from "effect"

/** Whoever asked for the import, or may end it, ended it. */
export class ImportCancelled extends Data.TaggedError("ImportCancelled")<{ readonly importId: number }> {}

/**
 * Tells the workers of this process what happens to imports, so that nothing waits for the next look at the database.
 * Other processes see it there.
 */
export class ImportBell extends Context.Service<
  ImportBell,
  {
    /** There may be an import to begin. */
    readonly ring: Effect.Effect<void>
    /** Waits until there may be one. */
    readonly rung: Effect.Effect<void>
    /** An import was cancelled. */
    readonly cancelled: (importId: number) => Effect.Effect<void>
    /** Runs work that is interrupted as soon as the import is cancelled. */
    readonly unlessCancelled: <A, E, R>(
      importId: number,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | ImportCancelled, R>
  }
>()("@kinora/node/imports/ImportBell") {
  static readonly layer = Layer.effect(
    ImportBell,
    Effect.gen(function* () {
      const bell = yield* Queue.sliding<void>(1)
      const running = new Map<number, Deferred.Deferred<never, ImportCancelled>>()
      return ImportBell.of({
        ring: Effect.asVoid(Queue.offer(bell, undefined)),
        rung: Queue.take(bell),
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
