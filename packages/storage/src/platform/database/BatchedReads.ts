import { Deferred, Effect, Exit, type Scope } from "effect"

type Batch<K, A, E> = Map<string, { readonly key: K; readonly found: Deferred.Deferred<A | undefined, E> }>

/**
 * Combines reads of single items: those requested while a read is running become one statement after it, and callers
 * that request the same item share its row. A read never starts before it was requested, so nobody gets data older than
 * their request. Nothing is cached. `read` returns what it found by key, and runs in the given scope.
 */
export const makeBatchedReads = <K, A, E>(options: {
  readonly read: (keys: ReadonlyArray<K>) => Effect.Effect<ReadonlyMap<string, A>, E>
  readonly nameOf: (key: K) => string
  /** Maximum number of items per statement. */
  readonly atMost: number
  readonly scope: Scope.Scope
}): ((key: K) => Effect.Effect<A | undefined, E>) => {
  const waiting: Batch<K, A, E> = new Map()
  let isRunning = false

  const next = (): Batch<K, A, E> => {
    const batch: Batch<K, A, E> = new Map()
    for (const [name, asked] of waiting) {
      if (batch.size === options.atMost) break
      batch.set(name, asked)
      waiting.delete(name)
    }
    return batch
  }

  const tell = (batch: Batch<K, A, E>, exit: Exit.Exit<ReadonlyMap<string, A>, E>) => {
    for (const [name, { found }] of batch) {
      Deferred.doneUnsafe(
        found,
        exit._tag === "Success" ? Exit.succeed(exit.value.get(name)) : Exit.failCause(exit.cause)
      )
    }
  }

  /** Every caller gets a result, however a read ends, also when the scope closes. */
  const readOne = (batch: Batch<K, A, E>) =>
    options.read(Array.from(batch.values(), ({ key }) => key)).pipe(
      Effect.onExit((exit) => Effect.sync(() => tell(batch, exit))),
      Effect.exit
    )

  const work = Effect.gen(function* () {
    while (waiting.size > 0) yield* readOne(next())
    // Set right after the check: later callers start a new run.
    isRunning = false
  }).pipe(
    Effect.onInterrupt(() =>
      Effect.sync(() => {
        isRunning = false
        while (waiting.size > 0) tell(next(), Exit.interrupt())
      })
    )
  )

  return (key) =>
    Effect.suspend(() => {
      const name = options.nameOf(key)
      let asked = waiting.get(name)
      if (asked === undefined) {
        asked = { key, found: Deferred.makeUnsafe<A | undefined, E>() }
        waiting.set(name, asked)
      }
      const mine = Deferred.await(asked.found)
      if (isRunning) return mine
      isRunning = true
      return Effect.andThen(Effect.forkIn(work, options.scope), mine)
    })
}
