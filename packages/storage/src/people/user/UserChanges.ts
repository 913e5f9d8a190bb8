import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { EmailTaken } from "./NewUser.ts"
import type { AddressedUser } from "./UserRows.ts"

/** The parts of a user that decisions about changes need. */
export interface ManagedUser extends AddressedUser {
  readonly role: number
  readonly blocked: boolean
  readonly emailVerified: boolean | null
}

/** An administrator's changes. Absent fields stay. Quotas are bytes, -1 for no limit. */
export interface UserChange {
  readonly email?: string | undefined
  readonly emailVerified?: boolean | null | undefined
  readonly videoQuota?: number | undefined
  readonly videoQuotaDaily?: number | undefined
  readonly role?: number | undefined
  readonly adminFlags?: number | undefined
}

/** Changes of users by administrators and moderators. Calls take part in the caller's transaction. */
export class UserChanges extends Context.Service<
  UserChanges,
  {
    /** The existing ones of these users, locked until the transaction ends, always in the same order. */
    readonly lock: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<ManagedUser>, DatabaseUnavailable>
    /** A new address cancels a pending change of address. Links mailed to the old one become invalid. */
    readonly update: (userId: number, change: UserChange) => Effect.Effect<void, EmailTaken | DatabaseUnavailable>
    /** Blocks a user and invalidates every link mailed to them. The caller ends the sessions. */
    readonly block: (userId: number, reason: string | null) => Effect.Effect<void, DatabaseUnavailable>
    readonly unblock: (userId: number) => Effect.Effect<void, DatabaseUnavailable>
    /** What administrators change of a user, for the audit log. Undefined: there is none. */
    readonly values: (
      userId: number
    ) => Effect.Effect<Readonly<Record<string, unknown>> | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/users/UserChanges") {
  static readonly layer = Layer.effect(
    UserChanges,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const lock = Effect.fn("UserChanges.lock")(function* (ids: ReadonlyArray<number>) {
        return yield* sql<ManagedUser>`
          select id, username::text as username, email::text as email, role, blocked,
            email_verified as "emailVerified"
          from app_user where id = any(${ids}::int[]) order by id for update
        `
      }, withDatabaseErrors)

      const setEmail = Effect.fnUntraced(function* (userId: number, email: string) {
        const changed = yield* sql`
          update app_user set email = ${email}, pending_email = null
          where id = ${userId} and (email::text <> ${email} or pending_email is not null) returning id
        `.pipe(
          Effect.catchTag("SqlError", (error): Effect.Effect<never, SqlError | EmailTaken> =>
            Effect.fail(error.reason._tag === "UniqueViolation" ? new EmailTaken({ email }) : error)
          )
        )
        if (changed.length > 0) yield* sql`delete from one_time_token where user_id = ${userId}`
      })

      const update = Effect.fn("UserChanges.update")(
        function* (userId: number, change: UserChange) {
          if (change.email !== undefined) yield* setEmail(userId, change.email)
          yield* sql`
            update app_user set
              email_verified = case when ${change.emailVerified === undefined}::boolean then email_verified
                else ${change.emailVerified ?? null}::boolean end,
              video_quota = coalesce(${change.videoQuota ?? null}::bigint, video_quota),
              video_quota_daily = coalesce(${change.videoQuotaDaily ?? null}::bigint, video_quota_daily),
              role = coalesce(${change.role ?? null}::smallint, role),
              admin_flags = coalesce(${change.adminFlags ?? null}::int, admin_flags),
              updated_at = now()
            where id = ${userId}
          `
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const block = Effect.fn("UserChanges.block")(
        function* (userId: number, reason: string | null) {
          yield* sql`
            update app_user set blocked = true, blocked_reason = ${reason}, updated_at = now() where id = ${userId}
          `
          yield* sql`delete from one_time_token where user_id = ${userId}`
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const unblock = Effect.fn("UserChanges.unblock")(function* (userId: number) {
        yield* sql`
          update app_user set blocked = false, blocked_reason = null, updated_at = now() where id = ${userId}
        `
      }, withDatabaseErrors)

      const values = Effect.fn("UserChanges.values")(function* (userId: number) {
        const [row] = yield* sql<Readonly<Record<string, unknown>>>`
          select username::text as username, email::text as email, email_verified as "emailVerified", role,
            video_quota as "videoQuota", video_quota_daily as "videoQuotaDaily", admin_flags as "adminFlags", blocked,
            blocked_reason as "blockedReason"
          from app_user where id = ${userId}`
        return row
      }, withDatabaseErrors)

      return UserChanges.of({ lock, update, block, unblock, values })
    })
  )
}
