import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import { withDatabaseErrors } from "../database/DatabaseErrors.ts"

/** A fixed window of counts. */
export interface SharedCount {
  readonly used: number
  /** Milliseconds until the window ends. */
  readonly left: number
}

const digest = (key: string): Uint8Array => createHash("sha256").update(key).digest()

/**
 * Counts that all nodes share, in fixed windows that begin with the first count, by the clock of the database. They are written at
 * once, also when the caller's transaction is undone.
 */
export class SharedCounts extends Context.Service<
  SharedCounts,
  {
    /** Counts one more for a key. */
    readonly hit: (key: string, windowMillis: number) => Effect.Effect<SharedCount, DatabaseUnavailable>
    /** Takes one back; a window that has ended stays so. */
    readonly refund: (key: string) => Effect.Effect<void, DatabaseUnavailable>
    /** Forgets windows that have ended. */
    readonly removeEnded: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/platform/limits/SharedCounts") {
  static readonly layer = Layer.effect(
    SharedCounts,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const outside = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
        Effect.updateContext(effect, (context: Context.Context<never>) =>
          Context.omit(sql.transactionService)(context as Context.Context<typeof sql.transactionService.Identifier>)
        )

      return SharedCounts.of({
        hit: Effect.fn("SharedCounts.hit")(
          function* (key: string, windowMillis: number) {
            const rows = yield* sql<{ used: number; left: number }>`
              insert into rate_limit as r (key, used, ends_at)
              values (${digest(key)}, 1, now() + ${windowMillis}::float8 * interval '1 millisecond')
              on conflict (key) do update set
                used = case when r.ends_at > now() and r.ends_at <= excluded.ends_at then r.used + 1 else 1 end,
                ends_at = case when r.ends_at > now() and r.ends_at <= excluded.ends_at then r.ends_at
                  else excluded.ends_at end
              returning used, ceil(extract(epoch from ends_at - now()) * 1000)::int as left`
            return rows[0]!
          },
          outside,
          withDatabaseErrors
        ),
        refund: Effect.fn("SharedCounts.refund")(
          function* (key: string) {
            yield* sql`update rate_limit set used = used - 1
              where key = ${digest(key)} and ends_at > now() and used > 0`
          },
          outside,
          withDatabaseErrors
        ),
        removeEnded: sql`delete from rate_limit where ends_at < now()`.pipe(Effect.asVoid, withDatabaseErrors)
      })
    })
  )
}
