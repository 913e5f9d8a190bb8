import { Clock, Effect, FiberSet, type Scope, Semaphore } from "effect"

/** Milliseconds between two readings of one thing, where its reading says nothing else. */
const usualPause = 1_000

/** Reads changed remote objects in the background of the activity that announced the change. */
export interface Readings {
  /**
   * Has a thing read: at once, or where it was just read at the end of a pause, the last work that was asked for. Dropped when too many
   * things wait. The work may answer for how many milliseconds the thing is to be left alone afterwards.
   */
  readonly request: (key: string, work: Effect.Effect<number | void>) => Effect.Effect<void>
}

/**
 * Each thing is read by one fiber at a time, which stays for the pause after it: what changes meanwhile is read once more, so
 * that the last change is always seen, and a thing that changes all the time is read once a pause. `atOnce` things are read at
 * a time, `most` are remembered.
 */
export const makeReadings = (limits: {
  readonly atOnce: number
  readonly most: number
}): Effect.Effect<Readings, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fibers = yield* FiberSet.make<void>()
    const run = yield* FiberSet.runtime(fibers)<never>()
    const turns = yield* Semaphore.make(limits.atOnce)
    /** What is to be read next of each thing that is being read, or was just now. */
    const next = new Map<string, Effect.Effect<number | void> | undefined>()

    const read = Effect.fnUntraced(function* (key: string) {
      while (true) {
        const work = next.get(key)
        if (work === undefined) return
        next.set(key, undefined)
        const begun = yield* Clock.currentTimeMillis
        const pause = (yield* turns.withPermit(work)) ?? usualPause
        yield* Effect.sleep(Math.max(0, begun + pause - (yield* Clock.currentTimeMillis)))
      }
    })

    const request = (key: string, work: Effect.Effect<number | void>) =>
      Effect.sync(() => {
        const isRead = next.has(key)
        if (!isRead && next.size >= limits.most) return
        next.set(key, work)
        if (isRead) return
        run(
          read(key).pipe(
            Effect.tapCause((cause) => Effect.logError(`reading ${key}`, cause)),
            Effect.ensuring(Effect.sync(() => next.delete(key)))
          )
        )
      })

    return { request }
  })
