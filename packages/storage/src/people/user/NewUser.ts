import { Data, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { insertAccount, insertLocalActor, type NewActor } from "../actor/NewActor.ts"

/** A user to write, with account and first channel. */
export interface NewUser {
  readonly username: string
  readonly email: string
  readonly passwordHash: string
  readonly role: number
  /** Bytes, -1 for no limit. */
  readonly videoQuota: number
  readonly videoQuotaDaily: number
  /** Bits: 1 exempts the user's videos from automatic blocking. None if absent. */
  readonly adminFlags?: number | undefined
  readonly emailVerified: boolean | null
  readonly account: NewActor
  readonly channel: NewActor
  readonly accountDisplayName: string
  readonly channelDisplayName: string
}

export interface CreatedUser {
  readonly userId: number
  readonly accountId: number
  readonly channelId: number
}

/** A local actor (account or channel) already has the name: both share one namespace. */
export class ActorNameTaken extends Data.TaggedError("ActorNameTaken")<{ readonly name: string }> {}

/** A user already has the email address. */
export class EmailTaken extends Data.TaggedError("EmailTaken")<{ readonly email: string }> {}

/** Writes user, account, channel and their actors; the caller provides the transaction. */
export const insertUser = Effect.fnUntraced(function* (
  sql: SqlClient,
  user: NewUser
): Effect.fn.Return<CreatedUser, SqlError> {
  const rows = yield* sql<{ id: number }>`
    insert into app_user (username, email, password_hash, role, video_quota, video_quota_daily, admin_flags,
      email_verified)
    values (${user.username}, ${user.email}, ${user.passwordHash}, ${user.role}::smallint, ${user.videoQuota}::bigint,
      ${user.videoQuotaDaily}::bigint, ${user.adminFlags ?? 0}::int, ${user.emailVerified}::boolean)
    returning id
  `
  const userId = rows[0]!.id
  const accountActor = yield* insertLocalActor(sql, user.account)
  const accountId = yield* insertAccount(sql, {
    actorId: accountActor,
    userId,
    displayName: user.accountDisplayName
  })
  const channelActor = yield* insertLocalActor(sql, user.channel)
  const channels = yield* sql<{ id: number }>`
    insert into video_channel (actor_id, account_id, display_name)
    values (${channelActor}, ${accountId}, ${user.channelDisplayName})
    returning id
  `
  return { userId, accountId, channelId: channels[0]!.id }
})
