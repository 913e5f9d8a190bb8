import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Account } from "@kinora/domain/wire/Account"
import type { UserVideoChannel } from "@kinora/domain/wire/MyUser"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../database/Database.ts"

/** A user in full. Times are ISO 8601 in UTC; `preferences` and `notificationSettings` hold only what was chosen. */
export interface MyUserRow {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly pendingEmail: string | null
  readonly emailVerified: boolean | null
  readonly role: number
  readonly adminFlags: number
  readonly blocked: boolean
  readonly blockedReason: string | null
  readonly videoQuota: number
  readonly videoQuotaDaily: number
  readonly preferences: Readonly<Record<string, unknown>>
  readonly notificationSettings: Readonly<Record<string, number>>
  readonly pluginAuth: string | null
  readonly twoFactorEnabled: boolean
  readonly createdAt: string
  readonly lastLoginDate: string | null
  readonly account: Account
  readonly videoChannels: ReadonlyArray<UserVideoChannel>
}

/** Users as they see themselves. */
export class MyUserRows extends Context.Service<
  MyUserRows,
  { readonly byId: (userId: number) => Effect.Effect<Option.Option<MyUserRow>, DatabaseUnavailable> }
>()("@kinora/storage/users/MyUserRows") {
  static readonly layer = Layer.effect(
    MyUserRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const byId = Effect.fn("MyUserRows.byId")(function* (userId: number) {
        const rows = yield* sql<MyUserRow>`
          select u.id, u.username::text as username, u.email::text as email, u.pending_email::text as "pendingEmail",
            u.email_verified as "emailVerified", u.role, u.admin_flags as "adminFlags", u.blocked,
            u.blocked_reason as "blockedReason", u.video_quota as "videoQuota",
            u.video_quota_daily as "videoQuotaDaily", u.preferences,
            u.notification_settings as "notificationSettings", u.plugin_auth as "pluginAuth",
            u.otp_secret is not null as "twoFactorEnabled",
            wire_time(u.created_at) as "createdAt", wire_time(u.last_login_at) as "lastLoginDate",
            wire_account(a.id)::json as account,
            (
              select coalesce(json_agg(wire_channel(c.id)::jsonb || jsonb_build_object('ownerAccountId', a.id,
                'description', coalesce(c.description, ''), 'support', coalesce(c.support, '')) order by c.id), '[]')
              from video_channel c where c.account_id = a.id
            ) as "videoChannels"
          from app_user u join account a on a.user_id = u.id
          where u.id = ${userId}
        `
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      return MyUserRows.of({ byId })
    })
  )
}
