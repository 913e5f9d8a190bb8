import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Semaphore } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** Key of the advisory lock that serialises registrations. No other lock of ours uses it. */
const registrationLock = 771_302

/**
 * Makes the caller's transaction wait for every other that takes two names at a time, for an account and a channel.
 * Must be taken before any row is locked.
 */
export const lockRegistrations = (sql: SqlClient) => sql`select pg_advisory_xact_lock(${registrationLock}::bigint)`

/** The bit of a notification setting for mail (contract: UserNotificationSettingValue). */
const byMail = 2

/** Other data that registration needs. */
export class SignupRows extends Context.Service<
  SignupRows,
  {
    /**
     * Runs an effect in its own transaction, one registration at a time on all nodes: names that it finds free cannot
     * be registered by others meanwhile.
     */
    readonly inTurn: <A, E>(registering: Effect.Effect<A, E>) => Effect.Effect<A, E | DatabaseUnavailable>
    /** Number of users, including administrators and blocked users. */
    readonly userCount: Effect.Effect<number, DatabaseUnavailable>
    /**
     * Addresses of administrators and moderators to notify of registrations: not blocked, with a verified address (or
     * none required), and with mail enabled in their notification settings.
     */
    readonly moderatorAddresses: (max: number) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
  }
>()("@kinora/storage/registrations/SignupRows") {
  static readonly layer = Layer.effect(
    SignupRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      // Registrations of this node wait here, so that they use one connection of the pool and not all of them.
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
