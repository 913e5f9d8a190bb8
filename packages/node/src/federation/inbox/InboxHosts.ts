import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { checkActivity } from "@kinora/federation/authority/Authority"
import { isObject } from "@kinora/federation/vocabulary/Json"
import { identifierOf } from "@kinora/federation/vocabulary/Reading"
import { sqlState, withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { InboxRows, type WaitingActivity } from "@kinora/storage/federation/inbox/InboxRows"
import { InboxUpkeep } from "@kinora/storage/federation/inbox/InboxUpkeep"
import { Cause, Clock, Context, Duration, Effect, Exit, Layer, Option, Result, Semaphore } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import { type HostActors, hostActors } from "../../platform/cluster/HostActors.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { countOutcomes } from "../../platform/observability/Outcomes.ts"
import { traced } from "../../platform/observability/Traced.ts"
import { RemoteActors } from "../remote/RemoteActors.ts"
import { forwarded, forwardedVerb } from "./Forwarded.ts"
import { InboxBacklog } from "./InboxBacklog.ts"
import { inboxCreates, isNewCreate } from "./InboxCreates.ts"
import { inboxSlots } from "./InboxSlots.ts"
import { inboxRatings, isRatingType, type RatingsApplied } from "./InboxRatings.ts"
import { InboxVerbs } from "./InboxVerbs.ts"
import { MutedSenders } from "./MutedSenders.ts"
import { type Change, fetched, Later, nothing, Refused, type VerbFailure } from "./verbs/Verb.ts"

/** Hosts that have something due at once; each then waits for a slot of its kind (`inboxSlots`). */
const concurrency = 2_000
/** Hosts whose changes are written at once. */
const writing = 8
/** Rows that are read at once. */
const batch = 100
/** Ratings of one host in one transaction. */
const ratings = 2_000
/**
 * Between two of these: what a video's counts cost is paid once for all its ratings in one, so it pays to let some gather.
 */
const gatherMillis = 200
/**
 * Who sends waits for an answer, and nobody for a rating to be counted. So while many activities are being taken (so many in
 * the time of one statement), that time again and again is left to them.
 */
const busy = 20
const restsOfBusy = 4
const longestRestMillis = 2_000
/** As many more may come in that time, and after more than that there is no pause: what is not applied fills the bounds of what may wait. */
const mostMeanwhile = 500
/** Then others have their turn. */
const turnMillis = 2_000
/** One activity may ask other hosts for as long; the first tries end sooner, so that many slow ones cost little. */
const firstTimeouts = [10, 30].map((seconds) => Duration.seconds(seconds))
const lastTimeout = Duration.seconds(90)

/** Before each further try; who is not ready after the last is refused. About a day in all. */
const waits = [10, 60, 300, 1_800, 7_200, 21_600, 43_200].map((seconds) => seconds * 1_000)

/** The server ended a statement for its time. */
const isTooLong = ({ cause }: DatabaseUnavailable): boolean => isSqlError(cause) && sqlState(cause) === "57014"

/** What a host's turn goes on with: more of its rows, those of others first, or nothing. */
type Next = "more" | "others first" | "nothing"

const isRating = ({ type }: WaitingActivity): boolean => isRatingType(type)

const countActivities = countOutcomes(
  "kinora_inbox_activities_total",
  "Received activities that were applied or refused",
  ["applied", "refused"]
)

/** Applies what hosts sent: each host's activities in the order they came, by one actor among all nodes. */
export class InboxHosts extends Context.Service<InboxHosts, HostActors>()("@kinora/node/inbox/InboxHosts") {
  static readonly layer = Layer.effect(
    InboxHosts,
    Effect.gen(function* () {
      const { derived } = yield* KinoraConfig
      const sql = yield* SqlClient
      const rows = yield* InboxRows
      const actors = yield* RemoteActors
      const verbs = yield* InboxVerbs
      const backlog = yield* InboxBacklog
      const muted = yield* MutedSenders
      const passOn = yield* forwardedVerb
      const applyCreates = yield* inboxCreates
      const applyRatings = yield* inboxRatings
      const upkeep = yield* InboxUpkeep
      const slots = inboxSlots(upkeep.isFollowed)
      const writers = yield* Semaphore.make(writing)
      const span = yield* traced

      const senderOf = Effect.fnUntraced(function* ({ actorUrl }: WaitingActivity) {
        const sender = yield* fetched(actors.byUrl(actorUrl))
        // Whoever an address leads to by now has not sent what came from it.
        if (sender.url !== actorUrl) return yield* new Refused({ why: "the sender's address leads to another actor" })
        return sender
      })

      /** Everything that asks other hosts, and then the change. */
      const prepare = Effect.fnUntraced(function* (host: string, row: WaitingActivity) {
        const { body } = row
        if (!isObject(body)) return yield* new Refused({ why: "the row holds no activity" })
        // It may have waited for long.
        if (yield* muted.has(host, row.actorUrl)) return yield* new Refused({ why: "the sender is muted" })
        if (row.type === forwarded) return yield* passOn(body, yield* senderOf(row))
        const verb = verbs.of(row.type)
        if (verb === undefined) return nothing
        const checked = checkActivity(row.actorUrl, body, derived.origin)
        if (Result.isFailure(checked)) return yield* new Refused({ why: checked.failure.why })
        return yield* verb(checked.success, yield* senderOf(row))
      })

      /** What was put off before it must not happen after it: what is deleted by now, or taken back. */
      const withdraw = (row: WaitingActivity): Effect.Effect<void, DatabaseUnavailable> => {
        if (!isObject(row.body)) return Effect.void
        const { object } = row.body
        const id = identifierOf(object)
        if (row.type === "Delete") return rows.withdraw(row, { object: id })
        if (row.type !== "Undo") return Effect.void
        const former = isObject(object) && typeof object["type"] === "string" ? object : undefined
        return rows.withdraw(row, {
          uri: id,
          formerType: former === undefined ? null : String(former["type"]),
          formerObject: identifierOf(former?.["object"])
        })
      }

      const write = Effect.fnUntraced(
        function* (host: string, row: WaitingActivity, { write: changed }: Change) {
          if (!(yield* rows.claim(host, row.id))) return false
          yield* changed
          yield* withdraw(row)
          yield* rows.applied([row.id])
          return true
        },
        sql.withTransaction,
        (effect) => withDatabaseErrors(effect) as Effect.Effect<boolean, VerbFailure>
      )

      const bounded = <A>(effect: Effect.Effect<A, VerbFailure>, duration: Duration.Duration) =>
        Effect.timeoutOrElse(effect, {
          duration,
          orElse: () => Effect.fail(new Later({ why: "it took too long", retryAfterMillis: 0 }))
        })

      /** One activity: false when it is not to be done by us, now or any more. Only the change waits for its turn. */
      const apply = Effect.fnUntraced(function* (host: string, row: WaitingActivity) {
        const change = yield* slots.asking(
          host,
          bounded(prepare(host, row), firstTimeouts[row.attempts] ?? lastTimeout)
        )
        // A Delete or an Undo has more to do than its change.
        if (change === nothing && row.type !== "Delete" && row.type !== "Undo") return yield* rows.settle(host, row.id)
        return yield* writers.withPermit(bounded(write(host, row, change), lastTimeout))
      })

      const settleFailure = Effect.fnUntraced(function* (row: WaitingActivity, cause: Cause.Cause<VerbFailure>) {
        const found = Option.getOrUndefined(Cause.findErrorOption(cause))
        // A statement that takes too long would do so each time: it counts as a try, and lets those behind it pass.
        const tooLong = found?._tag === "DatabaseUnavailable" && isTooLong(found)
        const error = tooLong ? new Later({ why: "its change took too long", retryAfterMillis: 0 }) : found
        if (error?._tag === "DatabaseUnavailable") return yield* error
        if (Cause.hasInterrupts(cause)) return yield* Effect.interrupt
        if (error?._tag === "Refused") {
          yield* rows.refuse(row.id, error.why)
          yield* countActivities("refused")
          return true
        }
        if (error === undefined) yield* Effect.logError(`${row.type} ${row.uri} cannot be applied`, cause)
        const why = error === undefined ? `a mistake of this instance: ${Cause.pretty(cause).slice(0, 300)}` : error.why
        const wait = waits[row.attempts]
        if (wait === undefined) {
          yield* rows.refuse(row.id, why)
          yield* countActivities("refused")
          return true
        }
        yield* rows.postpone(row.id, why, Math.max(wait, error?.retryAfterMillis ?? 0))
        return false
      })

      /** Whether another node works for the host. */
      const settleOne = Effect.fnUntraced(function* (host: string, row: WaitingActivity) {
        const exit = yield* Effect.exit(apply(host, row))
        const done = Exit.isSuccess(exit) ? exit.value : yield* settleFailure(row, exit.cause)
        if (done) backlog.remove(host, 1, row.bytes)
        if (Exit.isSuccess(exit) && exit.value) yield* countActivities("applied")
        const outcome = Exit.isSuccess(exit)
          ? exit.value
            ? "applied"
            : "left to another node"
          : done
            ? "refused"
            : "later"
        yield* Effect.annotateCurrentSpan("activity.outcome", outcome)
        return Exit.isSuccess(exit) && !exit.value
      })

      const settle = (host: string, row: WaitingActivity) =>
        span(settleOne(host, row), "apply activity", {
          root: true,
          kind: "consumer",
          attributes: { "activity.type": row.type, "server.address": host, "activity.attempt": row.attempts + 1 }
        })

      /** Fewer at a time where so many take too long; at last they go one by one. */
      const rates = (host: string, most: number): Effect.Effect<RatingsApplied, DatabaseUnavailable> =>
        Effect.catchTag(applyRatings(host, most), "DatabaseUnavailable", (error) =>
          !isTooLong(error)
            ? Effect.fail(error)
            : most >= 100
              ? rates(host, Math.floor(most / 10))
              : Effect.succeed({ applied: 0, others: true })
        )

      const round = Effect.fnUntraced(function* (
        host: string,
        until: number
      ): Effect.fn.Return<Next, DatabaseUnavailable> {
        const from = yield* Clock.currentTimeMillis
        const taken = backlog.taken()
        const { applied, others } = yield* rates(host, ratings)
        if (applied > 0) {
          backlog.remove(host, applied, 0)
          yield* countActivities("applied", applied)
          const took = (yield* Clock.currentTimeMillis) - from
          const came = backlog.taken() - taken
          const rest = came < busy ? 0 : Math.min(longestRestMillis, restsOfBusy * took, (took * mostMeanwhile) / came)
          if (!others) {
            const pause = applied > mostMeanwhile ? 0 : Math.max(gatherMillis, rest)
            if (pause > 0) yield* Effect.sleep(Duration.millis(pause))
            return "more"
          }
        }
        const due = yield* rows.due(host, batch)
        let at = 0
        while (at < due.length) {
          // Ratings go many at a time, all but those that stand first even so.
          if (at > 0 && isRating(due[at]!) && !isRating(due[at - 1]!)) return "more"
          const rest = due.slice(at)
          const other = rest.findIndex((row) => !isNewCreate(row))
          const { considered, rows: done } = yield* applyCreates(host, other < 0 ? rest : rest.slice(0, other))
          const looked = rest.slice(0, Math.max(1, considered))
          for (const row of looked) if (done.has(row.id)) backlog.remove(host, 1, row.bytes)
          yield* countActivities("applied", done.size)
          for (const row of looked.filter(({ id }) => !done.has(id))) {
            // Another node is at it.
            if (yield* settle(host, row)) return "nothing"
            if ((yield* Clock.currentTimeMillis) > until) return "others first"
          }
          if ((yield* Clock.currentTimeMillis) > until) return "others first"
          at += looked.length
        }
        return due.length > 0 ? "more" : "nothing"
      })

      const turn = Effect.fnUntraced(function* (host: string) {
        const until = (yield* Clock.currentTimeMillis) + turnMillis
        while (true) {
          const next = yield* round(host, until)
          if (next === "nothing") return
          if (next === "others first" || (yield* Clock.currentTimeMillis) > until) return yield* hosts.wake(host)
        }
      })

      const run = (host: string): Effect.Effect<void> =>
        // What waits is found again by the sweep.
        Effect.catchTag(slots.within(host, turn(host)), "DatabaseUnavailable", (error: DatabaseUnavailable) =>
          Effect.logDebug(`The inbox of ${host} waits for the database`, error)
        )

      const hosts: InboxHosts["Service"] = yield* hostActors("Inbox", run, { concurrency })
      return InboxHosts.of(hosts)
    })
  )
}
