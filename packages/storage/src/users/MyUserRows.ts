import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Account } from "@kinora/domain/wire/Account"
import type { UserVideoChannel } from "@kinora/domain/wire/MyUser"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { actorWire, type PublicAddress } from "../actors/ActorWire.ts"
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
  static readonly layer = (address: PublicAddress): Layer.Layer<MyUserRows, never, SqlClient> =>
    Layer.effect(
      MyUserRows,
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const wire = actorWire(sql, address)

        const byId = Effect.fn("MyUserRows.byId")(function* (userId: number) {
          const rows = yield* sql<MyUserRow>`
            select u.id, u.username::text as username, u.email::text as email, u.pending_email::text as "pendingEmail",
              u.email_verified as "emailVerified", u.role, u.admin_flags as "adminFlags", u.blocked,
              u.blocked_reason as "blockedReason", u.video_quota as "videoQuota",
              u.video_quota_daily as "videoQuotaDaily", u.preferences,
              u.notification_settings as "notificationSettings", u.plugin_auth as "pluginAuth",
              u.otp_secret is not null as "twoFactorEnabled",
              to_char(u.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
              to_char(u.last_login_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastLoginDate",
              ${wire.account} as account,
              (
                select coalesce(json_agg(${wire.channel} order by c.id), '[]'::json)
                from video_channel c join actor ac on ac.id = c.actor_id left join server sc on sc.id = ac.server_id
                where c.account_id = a.id
              ) as "videoChannels"
            from app_user u
            join account a on a.user_id = u.id
            join actor aa on aa.id = a.actor_id
            left join server sa on sa.id = aa.server_id
            where u.id = ${userId}
          `
          return Option.fromUndefinedOr(rows[0])
        }, withDatabaseErrors)

        return MyUserRows.of({ byId })
      })
    )
}
