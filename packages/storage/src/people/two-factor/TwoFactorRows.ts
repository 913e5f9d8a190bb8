import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** The second factor of a user. */
export interface TwoFactorRow {
  readonly username: string
  readonly role: number
  /** The sealed secret. Null: the user has no second factor. */
  readonly sealed: string | null
}

/** Second factors: sealed secrets, and the time step of the last accepted code. */
export class TwoFactorRows extends Context.Service<
  TwoFactorRows,
  {
    readonly of: (userId: number) => Effect.Effect<Option.Option<TwoFactorRow>, DatabaseUnavailable>
    /** Switches it on. False if the user has one. The code of `step` was used for this and is not accepted again. */
    readonly enable: (userId: number, sealed: string, step: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Recovery codes end with it. False if there was none. */
    readonly disable: (userId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** The same by name. None: no such user. */
    readonly disableByName: (username: string) => Effect.Effect<Option.Option<boolean>, DatabaseUnavailable>
    /**
     * Accepts the code of a step for a secret. False if that step or a later one was accepted before, or the user has
     * another secret by now. If two requests use the same code at once, one gets true.
     */
    readonly accept: (userId: number, sealed: string, step: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/twofactor/TwoFactorRows") {
  static readonly layer = Layer.effect(
    TwoFactorRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const of = Effect.fn("TwoFactorRows.of")(function* (userId: number) {
        const rows = yield* sql<TwoFactorRow>`
          select username::text as username, role, otp_secret as sealed from app_user where id = ${userId}
        `
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const enable = Effect.fn("TwoFactorRows.enable")(function* (userId: number, sealed: string, step: number) {
        const rows = yield* sql`
          update app_user set otp_secret = ${sealed}, otp_last_step = ${step}::bigint, updated_at = now()
          where id = ${userId} and otp_secret is null returning id
        `
        return rows.length > 0
      }, withDatabaseErrors)

      const disable = Effect.fn("TwoFactorRows.disable")(function* (userId: number) {
        const rows = yield* sql`
          with disabled as (
            update app_user set otp_secret = null, otp_last_step = null, updated_at = now()
            where id = ${userId} and otp_secret is not null returning id
          ), codes as (
            delete from two_factor_recovery_code where user_id in (select id from disabled)
          )
          select id from disabled
        `
        return rows.length > 0
      }, withDatabaseErrors)

      const disableByName = Effect.fn("TwoFactorRows.disableByName")(function* (username: string) {
        const rows = yield* sql<{ id: number }>`select id from app_user where username = ${username}::citext`
        const user = Option.fromUndefinedOr(rows[0])
        return Option.isNone(user) ? Option.none<boolean>() : Option.some(yield* disable(user.value.id))
      }, withDatabaseErrors)

      const accept = Effect.fn("TwoFactorRows.accept")(function* (userId: number, sealed: string, step: number) {
        const rows = yield* sql`
          update app_user set otp_last_step = ${step}::bigint
          where id = ${userId} and otp_secret = ${sealed}
            and (otp_last_step is null or otp_last_step < ${step}::bigint)
          returning id
        `
        return rows.length > 0
      }, withDatabaseErrors)

      return TwoFactorRows.of({ of, enable, disable, disableByName, accept })
    })
  )
}
