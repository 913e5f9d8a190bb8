import { Clock, Deferred, Effect, type Exit, Option, type Scope, Semaphore } from "effect"

/** The greatest age of a total in an answer, in milliseconds. */
export const oldestTotal = 60_000

/** From this age on, who asks has it counted anew for those who come later. */
export const refreshedFrom = oldestTotal / 2

/** Below this, counting costs no more than remembering is worth: what a small instance publishes is counted at once. */
const worthKeeping = 10

const capacity = 1_000

/** Countings at a time that somebody waits for: each may read an index of all videos. */
const atOnce = 2

/**
 * Those that nobody has to wait for, because there is an estimate or what was counted before, are one at a time: together they
 * would be in the way of those who read pages.
 */
const besides = 1

/** Who has an estimate waits no longer than this, and not at all behind so many others. */
const estimateAfter = 200
const mostWaiting = 8

/**
 * The total that `key` stands for, at most a minute old. With an `estimate` nobody waits long: that is told until `count`
 * has come to its end.
 */
export type CountedTotals<E> = (
  key: string,
  count: Effect.Effect<number, E>,
  estimate?: number
) => Effect.Effect<number, E>

interface Kept {
  readonly total: number
  readonly at: number
}

/**
 * Totals that cost more than a moment to count, remembered for a minute. The same total is counted once at a time,
 * however many ask. `scope` is that of the countings nobody waits for.
 */
export const makeCountedTotals = <E>(scope: Scope.Scope): CountedTotals<E> => {
  const kept = new Map<string, Kept>()
  const counting = new Map<string, Deferred.Deferred<number, E>>()
  const turns = Semaphore.makeUnsafe(atOnce)
  const later = Semaphore.makeUnsafe(besides)

  const remember = (key: string, total: number, at: number, cost: number) => {
    kept.delete(key)
    if (cost < worthKeeping) return
    kept.set(key, { total, at })
    if (kept.size <= capacity) return
    const first = kept.keys().next()
    if (first.done !== true) kept.delete(first.value)
  }

  /** Counts, or waits for the counting that is under way. */
  const counted = (key: string, count: Effect.Effect<number, E>, turn = turns): Effect.Effect<number, E> =>
    Effect.suspend(() => {
      const running = counting.get(key)
      if (running !== undefined) return Deferred.await(running)
      const result = Deferred.makeUnsafe<number, E>()
      counting.set(key, result)
      const work = turn.withPermit(
        Effect.gen(function* () {
          const from = yield* Clock.currentTimeMillis
          const total = yield* count
          const now = yield* Clock.currentTimeMillis
          remember(key, total, from, now - from)
          return total
        })
      )
      const settled = Effect.onExit(work, (exit: Exit.Exit<number, E>) =>
        Effect.sync(() => {
          counting.delete(key)
          Deferred.doneUnsafe(result, exit)
        })
      )
      // Whoever asked first may go away: the others are still waiting.
      return Effect.andThen(Effect.forkIn(settled, scope), Deferred.await(result))
    })

  const awaited = (key: string, count: Effect.Effect<number, E>, estimate: number | undefined) => {
    if (estimate === undefined) return counted(key, count)
    if (!counting.has(key) && counting.size >= mostWaiting) return Effect.succeed(estimate)
    // What cannot be counted is not tried again by each who asks.
    const attempt = Effect.catch(count, (error) =>
      Effect.as(Effect.logWarning("Counting a total failed. An estimate is returned.", error), estimate)
    )
    return Effect.map(
      Effect.timeoutOption(counted(key, attempt, later), estimateAfter),
      Option.getOrElse(() => estimate)
    )
  }

  return (key, count, estimate) =>
    Effect.gen(function* () {
      const found = kept.get(key)
      if (found === undefined) return yield* awaited(key, count, estimate)
      const age = (yield* Clock.currentTimeMillis) - found.at
      if (age >= oldestTotal) return yield* awaited(key, count, estimate)
      if (age >= refreshedFrom && !counting.has(key)) {
        yield* Effect.forkIn(
          Effect.ignore(counted(key, count, later), { log: "Warn", message: "A total could not be counted again" }),
          scope
        )
      }
      return found.total
    })
}
