import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Cause, Context, Data, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** A thing that changed in one transaction, and that others have to hear of. */
export interface OutboxChange {
  readonly id: string
  readonly kind: string
  readonly thingId: number
  /** Parts things that two rows name: the account of a rating. 0 elsewhere. */
  readonly byId: number
  /** What its trigger wrote down, as the kind has it. */
  readonly details: unknown
  /** How often it could not be processed. */
  readonly failures: number
}

/** A change could not be processed: nothing of it is written. */
export class ChangeFailed extends Data.TaggedError("ChangeFailed")<{
  readonly change: OutboxChange
  readonly cause: Cause.Cause<unknown>
}> {}

/**
 * Changes that triggers marked and that wait to become activities. Of one thing they are processed in their order and one at a
 * time, whichever nodes do it; of several things at once.
 */
export class OutboxChanges extends Context.Service<
  OutboxChanges,
  {
    /**
     * Processes the next change and clears it, in one transaction with all that `process` writes. False: none is due that
     * nobody else works on.
     */
    readonly next: (
      process: (change: OutboxChange) => Effect.Effect<void, DatabaseUnavailable>
    ) => Effect.Effect<boolean, ChangeFailed | DatabaseUnavailable>
    /** Has a change, and those of the same thing after it, wait. */
    readonly postpone: (change: OutboxChange, millis: number, error: string) => Effect.Effect<void, DatabaseUnavailable>
    /** How many wait, those included that somebody works on, and without those that fail again and again. */
    readonly waiting: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/outbox/OutboxChanges") {
  static readonly layer = Layer.effect(
    OutboxChanges,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      // Who holds the first of a thing has not deleted it yet: the next of the same thing is nobody's before that commits.
      const take = sql<OutboxChange>`
        select c.id::text as id, c.kind, c.thing_id as "thingId", c.by_id as "byId", c.details, c.failures
        from outbox_change c
        where c.due <= now() and c.id = (
          select min(e.id) from outbox_change e
          where e.kind = c.kind and e.thing_id = c.thing_id and e.by_id = c.by_id
        )
        order by c.bulk, c.id limit 1 for update of c skip locked`

      const next = Effect.fn("OutboxChanges.next")(function* (
        process: (change: OutboxChange) => Effect.Effect<void, DatabaseUnavailable>
      ) {
        const one = Effect.gen(function* () {
          const [change] = yield* take
          if (change === undefined) return false
          const exit = yield* Effect.exit(process(change))
          if (Exit.isFailure(exit)) {
            return yield* Cause.hasDies(exit.cause)
              ? Effect.fail(new ChangeFailed({ change, cause: exit.cause }))
              : Effect.failCause(exit.cause)
          }
          yield* sql`delete from outbox_change where id = ${change.id}::bigint`
          return true
        })
        return yield* sql.withTransaction(one)
      }, withDatabaseErrors)

      const postpone = Effect.fn("OutboxChanges.postpone")(function* (
        change: OutboxChange,
        millis: number,
        error: string
      ) {
        yield* sql`
          update outbox_change set failures = failures + 1, error = ${error},
            due = now() + ${millis}::float8 * interval '1 millisecond'
          where id = ${change.id}::bigint`
      }, withDatabaseErrors)

      const waiting = sql<{ waiting: number }>`
        select count(*)::integer as waiting from outbox_change where failures < 3`.pipe(
        Effect.map((rows) => rows[0]!.waiting),
        withDatabaseErrors
      )

      return OutboxChanges.of({ next, postpone, waiting })
    })
  )
}
