import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Semaphore } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** Key of the advisory lock under which registrations take turns; no other lock of ours has it. */
const registrationLock = 771_302

/**
 * Makes the caller's transaction wait for every other that gives names away, two at a time: an account and a channel.
 * Taken before any row is locked.
 */
export const lockRegistrations = (sql: SqlClient) => sql`select pg_advisory_xact_lock(${registrationLock}::bigint)`

/** The bit of a notification setting that asks for mail (contract: UserNotificationSettingValue). */
const byMail = 2

/** What registering looks at besides registrations. */
export class SignupRows extends Context.Service<
  SignupRows,
  {
    /**
     * Runs what it is given in a transaction of its own, one registration at a time on all nodes: what one finds free
     * nobody else registers meanwhile.
     */
    readonly inTurn: <A, E>(registering: Effect.Effect<A, E>) => Effect.Effect<A, E | DatabaseUnavailable>
    /** Users there are, administrators and blocked ones included. */
    readonly userCount: Effect.Effect<number, DatabaseUnavailable>
    /**
     * Addresses of administrators and moderators who are told of registrations: not blocked, address not unproven, and
     * not without mail in their notification settings.
     */
    readonly moderatorAddresses: (max: number) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
  }
>()("@kinora/storage/registrations/SignupRows") {
  static readonly layer = Layer.effect(
    SignupRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      // Those of this node wait here, so that they hold one connection of the pool and not all of them.
      const turns = yield* Semaphore.make(1)
      const lock = lockRegistrations(sql)
      const inTurn = <A, E>(registering: Effect.Effect<A, E>): Effect.Effect<A, E | DatabaseUnavailable> =>
        Effect.andThen(lock, registering).pipe(
          sql.withTransaction,
          turns.withPermits(1),
          withDatabaseErrors,
          Effect.withSpan("SignupRows.inTurn")
        )

      const userCount = sql<{ users: number }>`select count(*) as users from app_user`.pipe(
        withDatabaseErrors,
        Effect.map((rows) => rows[0]!.users),
        Effect.withSpan("SignupRows.userCount")
      )

      const moderatorAddresses = Effect.fn("SignupRows.moderatorAddresses")(function* (max: number) {
        const rows = yield* sql<{ email: string }>`
          select email::text as email from app_user
          where role in (0, 1) and not blocked and email_verified is not false
            and coalesce((notification_settings ->> 'newUserRegistration')::int, ${byMail}::int) & ${byMail}::int <> 0
          order by role, id limit ${max}
        `
        return rows.map((row) => row.email)
      }, withDatabaseErrors)

      return SignupRows.of({ inTurn, userCount, moderatorAddresses })
    })
  )
}
