import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Account } from "@kinora/domain/wire/Account"
import type { MyUser, UserVideoChannel } from "@kinora/domain/wire/MyUser"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { accountOf, actorRows, channelOf } from "../actor/ActorTexts.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { quotaUsage } from "./QuotaUsage.ts"

/** A complete user. Times are ISO 8601 in UTC. `preferences` and `notificationSettings` contain only chosen values. */
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
  /** Channels of others that the user collaborates on. */
  readonly videoChannelCollaborations: ReadonlyArray<UserVideoChannel>
  /** The "Watch later" playlist. */
  readonly specialPlaylists: MyUser["specialPlaylists"]
}

interface Found extends Omit<MyUserRow, "account" | "videoChannels" | "videoChannelCollaborations"> {
  readonly accountActorId: number
  readonly channelActorIds: ReadonlyArray<number>
  readonly collaborationActorIds: ReadonlyArray<number>
}

/** Users as they see themselves. */
export class MyUserReads extends Context.Service<
  MyUserReads,
  {
    readonly byId: (userId: number) => Effect.Effect<Option.Option<MyUserRow>, DatabaseUnavailable>
    /** Bytes of the user's videos, in total and of the last 24 hours. */
    readonly quotaUsed: (
      userId: number
    ) => Effect.Effect<{ readonly used: number; readonly usedDaily: number }, DatabaseUnavailable>
    /** The account's rating of the video. Undefined if there is none. */
    readonly rating: (
      accountId: number,
      videoId: number
    ) => Effect.Effect<"like" | "dislike" | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/people/user/MyUserReads") {
  static readonly layer = Layer.effect(
    MyUserReads,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const channels = (condition: Fragment) => sql`array(
        select c.actor_id from video_channel c where ${condition} order by c.id
      )`

      const byId = Effect.fn("MyUserReads.byId")(function* (userId: number) {
        const rows = yield* sql<Found>`
          select u.id, u.username::text as username, u.email::text as email, u.pending_email::text as "pendingEmail",
            u.email_verified as "emailVerified", u.role, u.admin_flags as "adminFlags", u.blocked,
            u.blocked_reason as "blockedReason", u.video_quota as "videoQuota",
            u.video_quota_daily as "videoQuotaDaily", u.preferences,
            u.notification_settings as "notificationSettings", u.plugin_auth as "pluginAuth",
            u.otp_secret is not null as "twoFactorEnabled",
            wire_time(u.created_at) as "createdAt", wire_time(u.last_login_at) as "lastLoginDate",
            a.actor_id as "accountActorId", ${channels(sql`c.account_id = a.id`)} as "channelActorIds",
            ${channels(sql`c.id in (
              select k.channel_id from video_channel_collaborator k where k.account_id = a.id and k.state = 2
            )`)} as "collaborationActorIds",
            (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'type', p.type)), '[]')
              from video_playlist p where p.owner_account_id = a.id and p.type = 2) as "specialPlaylists"
          from app_user u join account a on a.user_id = u.id where u.id = ${userId}
        `
        const [found] = rows
        if (found === undefined) return Option.none()
        const { accountActorId, channelActorIds, collaborationActorIds, ...row } = found
        const actors = yield* actorRows(sql, [accountActorId, ...channelActorIds, ...collaborationActorIds])
        const account = accountOf(actors, accountActorId)
        if (account === undefined) return Option.none()
        const channelsOf = (actorIds: ReadonlyArray<number>) =>
          actorIds.flatMap((actorId): ReadonlyArray<UserVideoChannel> => {
            const channel = channelOf(actors, actorId)
            return channel === undefined ? [] : [{ ...channel, ownerAccountId: channel.ownerAccount.id }]
          })
        return Option.some({
          ...row,
          account,
          videoChannels: channelsOf(channelActorIds),
          videoChannelCollaborations: channelsOf(collaborationActorIds)
        } satisfies MyUserRow)
      }, withDatabaseErrors)

      const quotaUsed = Effect.fn("MyUserReads.quotaUsed")(function* (userId: number) {
        return yield* quotaUsage(sql, userId, null)
      }, withDatabaseErrors)

      const rating = Effect.fn("MyUserReads.rating")(function* (accountId: number, videoId: number) {
        const rows = yield* sql<{ type: "like" | "dislike" }>`
          select type from account_video_rate where account_id = ${accountId} and video_id = ${videoId}`
        return rows[0]?.type
      }, withDatabaseErrors)

      return MyUserReads.of({ byId, quotaUsed, rating })
    })
  )
}
