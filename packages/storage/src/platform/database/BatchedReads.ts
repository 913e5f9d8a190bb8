import { Deferred, Effect, Exit, type Scope } from "effect"

type Batch<K, A, E> = Map<string, { readonly key: K; readonly found: Deferred.Deferred<A | undefined, E> }>

/**
 * Reads of single things, put together: those that are asked for while a reading is on its way are one statement after it,
 * and who asks for the same thing waits for the same row. A reading never begins before it was asked for, so that nobody
 * gets anything from before they asked; nothing is kept. `read` gives what it found by the name of its key, and runs in the
 * given scope.
 */
export const makeBatchedReads = <K, A, E>(options: {
  readonly read: (keys: ReadonlyArray<K>) => Effect.Effect<ReadonlyMap<string, A>, E>
  readonly nameOf: (key: K) => string
  /** Things of one statement. */
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

  /** Whoever waits is told, however a reading ends: also when the scope is closed. */
  const readOne = (batch: Batch<K, A, E>) =>
    options.read(Array.from(batch.values(), ({ key }) => key)).pipe(
      Effect.onExit((exit) => Effect.sync(() => tell(batch, exit))),
      Effect.exit
    )

  const work = Effect.gen(function* () {
    while (waiting.size > 0) yield* readOne(next())
    // At once after the look: who asks from here on begins anew.
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
