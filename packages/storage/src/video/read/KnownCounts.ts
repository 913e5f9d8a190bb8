import { Clock, Deferred, Effect, type Exit, type Scope, Semaphore } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { oldestTotal, refreshedFrom } from "./CountedTotals.ts"
import {
  allCountsStatement,
  type CountsRow,
  hiddenCountsStatement,
  type ListCounts,
  toListCounts,
  versionsStatement
} from "./ListCounts.ts"

interface Known {
  readonly counts: ListCounts
  readonly at: number
}

/** Counts of so few kinds and hidden videos are read anew at every change: that costs no more than counting would. */
const few = { kinds: 3_000, hidden: 3_000 }

const isFew = ({ hidden, kinds }: ListCounts): boolean => kinds.length / 6 <= few.kinds && hidden <= few.hidden

/** What so many blocks take away is remembered: of a million videos at most half a megabyte each. */
const capacity = 64

/** All there is: what everybody needs is neither forgotten for others nor kept waiting by them. */
const everything = ""

/** A part of the counts: all there is, or what the blocks of one account take away. */
interface Part {
  readonly key: string
  readonly text: string
  readonly values: ReadonlyArray<ReadonlyArray<number>>
}

/** What is counted for who has these accounts' blocks: who blocks nobody takes nothing away. */
const partsOf = (blockerIds: ReadonlyArray<number>, blocks: ReadonlyArray<string>): ReadonlyArray<Part> => {
  const versions = new Map(blocks.map((one) => [Number.parseInt(one, 10), one]))
  const blocking = blockerIds.filter((id) => versions.has(id))
  const hidden = blocking.map((id, n) => {
    const besides = blocking.slice(0, n)
    const key = [...besides, id].map((one) => versions.get(one)).join()
    return { key, text: hiddenCountsStatement, values: [[id], besides] }
  })
  return [{ key: everything, text: allCountsStatement, values: [] }, ...hidden]
}

/**
 * Makes a function that answers the counts by kind for who has these accounts' blocks, in parts to be added up. They are those
 * of now where nothing has changed since they were read, and where there are few; else at most a minute old. `quick`
 * answers what takes no time; `scope` is that of readings nobody waits for.
 */
export const makeKnownCounts = (quick: SqlClient, slow: SqlClient, scope: Scope.Scope) => {
  const known = new Map<string, Known>()
  const reading = new Map<string, Deferred.Deferred<ListCounts, SqlError>>()
  const turns = Semaphore.makeUnsafe(1)

  const remember = (key: string, counts: ListCounts, at: number) => {
    known.delete(key)
    known.set(key, { counts, at })
    if (known.size <= capacity + 1) return
    for (const oldest of known.keys()) {
      if (oldest === everything) continue
      known.delete(oldest)
      break
    }
  }

  const read = Effect.fnUntraced(function* ({ key, text, values }: Part) {
    const at = yield* Clock.currentTimeMillis
    const rows = yield* slow.unsafe<CountsRow>(text, values)
    const counts = toListCounts(rows[0]!)
    remember(key, counts, at)
    return counts
  })

  /** Reads, or waits for the reading that is under way. */
  const readOnce = (part: Part): Effect.Effect<ListCounts, SqlError> =>
    Effect.suspend(() => {
      const running = reading.get(part.key)
      if (running !== undefined) return Deferred.await(running)
      const result = Deferred.makeUnsafe<ListCounts, SqlError>()
      reading.set(part.key, result)
      const turn = part.key === everything ? read(part) : turns.withPermit(read(part))
      const settled = Effect.onExit(turn, (exit: Exit.Exit<ListCounts, SqlError>) =>
        Effect.sync(() => {
          reading.delete(part.key)
          Deferred.doneUnsafe(result, exit)
        })
      )
      // Whoever asked first may go away: the others are still waiting.
      return Effect.andThen(Effect.forkIn(settled, scope), Deferred.await(result))
    })

  const countsOf = Effect.fnUntraced(function* (part: Part, version: string) {
    const found = known.get(part.key)
    if (found === undefined) return yield* readOnce(part)
    known.delete(part.key)
    known.set(part.key, found)
    if (found.counts.version === version) return found.counts
    // Another's reading may have begun before the change.
    if (isFew(found.counts)) return yield* read(part)
    const age = (yield* Clock.currentTimeMillis) - found.at
    if (age >= oldestTotal) return yield* readOnce(part)
    if (age >= refreshedFrom && !reading.has(part.key)) {
      yield* Effect.forkIn(
        Effect.ignore(readOnce(part), { log: "Warn", message: "A count could not be read again" }),
        scope
      )
    }
    return found.counts
  })

  return Effect.fnUntraced(function* (blockerIds: ReadonlyArray<number>) {
    const rows = yield* quick.unsafe<{ version: string; blocks: ReadonlyArray<string> }>(versionsStatement, [
      blockerIds
    ])
    const { blocks, version } = rows[0]!
    return yield* Effect.forEach(partsOf(blockerIds, blocks), (part) => countsOf(part, version))
  })
}
