import { checkActivity } from "@kinora/federation/authority/Authority"
import { isObject } from "@kinora/federation/vocabulary/Json"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { WaitingActivity } from "@kinora/storage/federation/inbox/InboxRows"
import { Cause, Clock, Duration, Effect, Exit, Result, Semaphore } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { creationOf, creations, type CreationsApplied, type SentCreation } from "./Creations.ts"
import { MutedSenders } from "./MutedSenders.ts"

/** Hosts whose Creates are written at once: each keeps a core of the database busy. */
const writing = 2
/** Of one statement: fewer when it takes longer than `long`, in milliseconds, more when it takes less than half of that. */
const sizes = { first: 25, fewest: 10, most: 100 }
const long = 200
/**
 * Who sends waits for no Create, and whoever reads a list waits for that. So what is left to others afterwards, of the time a
 * statement took, grows with how much longer it took than it would alone: the time of the fastest ones, of which `around`
 * milliseconds are for whatever stands in it, and which is forgotten by a hundredth each time.
 */
const rests = { least: 0.1, most: 6, from: 1.3, steep: 2 }
const around = 8
const forgetting = 1.01
/** Activities that are read before others have their turn of this process. */
const atATime = 8

/** Whether an activity is one that may be applied together with others: it has not failed yet. */
export const isNewCreate = ({ attempts, type }: WaitingActivity): boolean => type === "Create" && attempts === 0

/**
 * Applies Creates that stand one after another, many at a time: new videos and comments that their senders may speak for, of
 * people who are known. All others are for whoever applies them one by one; and so is everything, when a statement of many fails.
 */
export const inboxCreates = Effect.gen(function* () {
  const { derived } = yield* KinoraConfig
  const muted = yield* MutedSenders
  const apply = yield* creations
  const turns = yield* Semaphore.make(writing)
  let size = sizes.first
  /** Milliseconds of one. */
  let fastest = Number.POSITIVE_INFINITY

  const restAfter = (took: number, count: number): number => {
    // The time of a few says nothing about the time of one.
    const each = Math.max(0.1, (took - around) / count)
    if (count >= sizes.fewest) fastest = Math.min(fastest * forgetting, each)
    const slower = took / (around + count * Math.min(fastest, each))
    return took * Math.min(rests.most, Math.max(rests.least, (slower - rests.from) * rests.steep))
  }

  const known = new WeakMap<WaitingActivity, SentCreation | undefined>()

  /** Held against its sender as every activity is. Undefined: there is more to it. */
  const read = Effect.fnUntraced(function* (
    host: string,
    row: WaitingActivity
  ): Effect.fn.Return<SentCreation | undefined, DatabaseUnavailable> {
    const { actorUrl, body } = row
    if (!isObject(body) || (yield* muted.has(host, actorUrl))) return undefined
    const checked = checkActivity(actorUrl, body, derived.origin)
    if (Result.isFailure(checked) || checked.success.subjects.length !== 1) return undefined
    const subject = checked.success.subjects[0]!
    const creation = subject._tag === "Believed" ? creationOf(subject.object) : undefined
    return creation && { row: row.id, sender: actorUrl, creation }
  })

  const write = Effect.fnUntraced(function* (host: string, sent: ReadonlyArray<SentCreation>) {
    const from = yield* Clock.currentTimeMillis
    const applied = yield* apply(host, sent)
    const took = (yield* Clock.currentTimeMillis) - from
    if (took > long) size = Math.max(sizes.fewest, Math.floor(size / 2))
    else if (took < long / 2 && sent.length >= size) size = Math.min(sizes.most, size + 5)
    yield* Effect.sleep(Duration.millis(restAfter(took, sent.length)))
    return applied
  })

  /** Applies Creates of a host from the first of these on, as many as may go together. */
  return Effect.fnUntraced(function* (
    host: string,
    due: ReadonlyArray<WaitingActivity>
  ): Effect.fn.Return<CreationsApplied, DatabaseUnavailable> {
    const sent: Array<SentCreation> = []
    for (const row of due.slice(0, size)) {
      const one = known.has(row) ? known.get(row) : yield* read(host, row)
      known.set(row, one)
      if (one === undefined) break
      sent.push(one)
      if (sent.length % atATime === 0) yield* Effect.yieldNow
    }
    if (sent.length < 2) return { considered: 0, rows: new Set() }
    const exit = yield* Effect.exit(turns.withPermit(write(host, sent)))
    if (Exit.isSuccess(exit)) return exit.value
    if (Cause.hasInterrupts(exit.cause)) return yield* Effect.interrupt
    size = sizes.fewest
    yield* Effect.logWarning(`${sent.length} Creates of ${host} are applied one by one`, exit.cause)
    return { considered: sent.length, rows: new Set() }
  })
})
