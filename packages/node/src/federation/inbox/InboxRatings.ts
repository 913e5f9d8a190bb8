import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { InboxRows, type LeadingActivity } from "@kinora/storage/federation/inbox/InboxRows"
import { InboxTargets } from "@kinora/storage/federation/inbox/InboxTargets"
import { RateRows, type WantedRating } from "@kinora/storage/social/rating/RateRows"
import { Effect, Result, Semaphore } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { RemoteActors } from "../remote/RemoteActors.ts"
import { MutedSenders } from "./MutedSenders.ts"
import { together } from "./Together.ts"
import { type ClaimedRating, decideRatings } from "./verbs/Rating.ts"

/** Hosts whose ratings are read at once. */
const reading = 8
/** Ratings of one transaction, unless one host has more. */
const mostTogether = 2_000

/** Types that are ratings, and what they say. */
const kinds = { Like: "like", Dislike: "dislike" } as const
const types = Object.keys(kinds)

export const isRatingType = (type: string): type is keyof typeof kinds => Object.hasOwn(kinds, type)

/** How many were applied, and whether other activities are behind them. */
export interface RatingsApplied {
  readonly applied: number
  readonly others: boolean
}

/** Rows of a host's ratings, and what each changes; null: nothing. */
interface DecidedRatings {
  readonly host: string
  readonly decided: ReadonlyMap<number, WantedRating | null>
}

/**
 * Applies ratings that stand first in the line of a host, many at a time and with those of other hosts, in one transaction with the state of their rows. A
 * rating says nothing beyond its type, its sender and its video, which stand beside its text since it was accepted. Those that
 * cannot be applied so (the sender is not known yet, or they are refused) stay for whoever applies activities one by one.
 */
export const inboxRatings = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* InboxRows
  const rates = yield* RateRows
  const actors = yield* RemoteActors
  const muted = yield* MutedSenders
  const decide = decideRatings(yield* InboxTargets)
  const readers = yield* Semaphore.make(reading)

  /**
   * Many hosts' ratings of a popular video come at once: transactions of their own would each hold a connection to wait for the
   * lock of its row.
   */
  const write = together(
    Effect.fnUntraced(
      function* (group: ReadonlyArray<DecidedRatings>) {
        const counts: Array<number> = []
        const wanted: Array<WantedRating> = []
        const applied: Array<number> = []
        for (const { decided, host } of group) {
          const claimed = yield* rows.claimAll(host, [...decided.keys()])
          counts.push(claimed.size)
          applied.push(...claimed)
          for (const [id, rating] of decided) if (rating !== null && claimed.has(id)) wanted.push(rating)
        }
        if (applied.length === 0) return counts
        yield* rates.setAll(wanted, { remote: true })
        yield* rows.applied(applied)
        return counts
      },
      sql.withTransaction,
      withDatabaseErrors
    ),
    ({ decided }) => decided.size,
    mostTogether
  )

  const prepare = Effect.fnUntraced(function* (host: string, most: number) {
    const { others, rows: leading } = yield* rows.leading(host, types, most)
    if (leading.length === 0) return { decided: new Map<number, WantedRating | null>(), others }
    const people = yield* actors.knownOf([...new Set(leading.map(({ actorUrl }) => actorUrl))])
    const known: Array<readonly [LeadingActivity, ClaimedRating]> = []
    for (const row of leading) {
      const sender = people.get(row.actorUrl)
      if (sender === undefined || !isRatingType(row.type) || (yield* muted.has(host, row.actorUrl))) continue
      known.push([row, { accountId: sender.accountId, video: row.object, rating: kinds[row.type] }])
    }
    const decisions = yield* decide(known.map(([, claim]) => claim))
    const decided = new Map<number, WantedRating | null>()
    for (const [nth, [{ id }]] of known.entries()) {
      const decision = decisions[nth]!
      if (Result.isSuccess(decision)) decided.set(id, decision.success)
    }
    return { decided, others }
  })

  return Effect.fnUntraced(function* (
    host: string,
    most: number
  ): Effect.fn.Return<RatingsApplied, DatabaseUnavailable> {
    const { decided, others } = yield* readers.withPermit(prepare(host, most))
    return { applied: decided.size === 0 ? 0 : yield* write({ host, decided }), others }
  })
})
