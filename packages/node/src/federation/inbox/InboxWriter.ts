import { BadRequest } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { sqlState } from "@kinora/storage/platform/database/DatabaseErrors"
import { InboxRows, type NewActivity } from "@kinora/storage/federation/inbox/InboxRows"
import { Clock, Context, Deferred, Duration, Effect, Exit, Layer, Queue } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { respondingHosts } from "./RespondingHosts.ts"
import { InboxBacklog } from "./InboxBacklog.ts"
import { InboxHosts } from "./InboxHosts.ts"

/** Rows of one statement. */
const batch = 500
/**
 * A statement costs as much as ten of its rows, here and in the database: after one of so many the next begins no sooner than
 * after this time, and has more of them.
 */
const crowd = 3
const gatherMillis = 5

export type KeepFailure = BadRequest | DatabaseUnavailable | ServiceUnavailable

/** In few words, since whoever sent it may send it again and again. */
const whyNot = (defect: unknown): string =>
  isSqlError(defect) ? `SQLSTATE ${sqlState(defect)}` : String(defect).slice(0, 200)

interface Asked {
  readonly activity: NewActivity
  readonly kept: Deferred.Deferred<void, KeepFailure>
}

/**
 * Keeps activities, many requests' by one statement: while one transaction is on its way to the disk, those that come
 * gather for the next. Whoever asked is answered after their rows are committed.
 */
export class InboxWriter extends Context.Service<
  InboxWriter,
  {
    /** `BadRequest`: this one cannot be kept, whatever others are. */
    readonly keep: (activity: NewActivity) => Effect.Effect<void, KeepFailure>
  }
>()("@kinora/node/inbox/InboxWriter") {
  static readonly layer = Layer.effect(
    InboxWriter,
    Effect.gen(function* () {
      const rows = yield* InboxRows
      const backlog = yield* InboxBacklog
      const hosts = yield* InboxHosts
      const supervisor = yield* Supervisor
      const queue = yield* Queue.unbounded<Asked>()
      const retryDeliveries = yield* respondingHosts

      const write = Effect.fnUntraced(function* (asked: ReadonlyArray<Asked>) {
        // A statement may not touch a row twice: of two with one id the one that came later stands for both.
        const unique = new Map(asked.map(({ activity }) => [activity.uri, activity]))
        const added = yield* rows.add([...unique.values()])
        const woken = new Set<string>()
        for (const uri of added) {
          const { body, host } = unique.get(uri)!
          backlog.add(host, body.length)
          woken.add(host)
        }
        yield* retryDeliveries(woken)
        for (const host of woken) yield* hosts.wake(host)
      })

      const settle = (asked: ReadonlyArray<Asked>, exit: Exit.Exit<void, KeepFailure>) => {
        const told: Exit.Exit<void, KeepFailure> =
          Exit.isSuccess(exit) || exit.cause.reasons.some((reason) => reason._tag === "Fail")
            ? exit
            : Exit.fail(new ServiceUnavailable({ reason: "The inbox was interrupted", retryAfterSeconds: 10 }))
        for (const { kept } of asked) Deferred.doneUnsafe(kept, told)
      }

      const alone = Effect.fnUntraced(function* (one: Asked) {
        const exit = yield* Effect.exit(
          write([one]).pipe(
            Effect.catchDefect((defect) =>
              Effect.andThen(
                Effect.logWarning(`An activity of ${one.activity.host} cannot be kept: ${whyNot(defect)}`),
                Effect.fail(new BadRequest({ reason: "The activity cannot be kept" }))
              )
            )
          )
        )
        settle([one], exit)
      })

      // Only the sender of an activity that cannot be stored receives an error.
      const keepAll = (asked: ReadonlyArray<Asked>) =>
        write(asked).pipe(
          Effect.tap(() => Effect.sync(() => settle(asked, Exit.void))),
          Effect.catchDefect(() => Effect.forEach(asked, alone, { discard: true })),
          // Senders that have an answer do not receive a second one.
          Effect.onExit((exit) => Effect.sync(() => settle(asked, exit))),
          Effect.catchTag("DatabaseUnavailable", () => Effect.void)
        )

      const run = Effect.gen(function* () {
        while (true) {
          const asked = yield* Queue.takeBetween(queue, 1, batch)
          const begun = yield* Clock.currentTimeMillis
          yield* keepAll(asked)
          if (asked.length < crowd) continue
          const rest = begun + gatherMillis - (yield* Clock.currentTimeMillis)
          if (rest > 0) yield* Effect.sleep(Duration.millis(rest))
        }
      })
      yield* supervisor.run("inbox rows", run)

      const keep = (activity: NewActivity) =>
        Effect.suspend(() => {
          const kept = Deferred.makeUnsafe<void, KeepFailure>()
          Queue.offerUnsafe(queue, { activity, kept })
          return Deferred.await(kept)
        })

      return InboxWriter.of({ keep })
    })
  )
}
