import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Account } from "@kinora/domain/wire/Account"
import type { MyUser, UserVideoChannel } from "@kinora/domain/wire/MyUser"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { accountOf, actorRows, channelOf } from "../actor/ActorTexts.ts"
import { type Consents, setConsents } from "../actor/Consents.ts"
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

/** The parts of a user that changes need. */
export interface MyUserFacts {
  /** The actor of the user's account. */
  readonly actorId: number
  readonly pluginAuth: string | null
}

/** Changes that a user makes together. Missing fields stay. */
export interface MyUserChanges extends Consents {
  readonly displayName?: string | undefined
  readonly description?: string | null | undefined
  /** Under their API names. */
  readonly preferences: Readonly<Record<string, unknown>>
}

/** Users as they see themselves. */
export class MyUserRows extends Context.Service<
  MyUserRows,
  {
    readonly byId: (userId: number) => Effect.Effect<Option.Option<MyUserRow>, DatabaseUnavailable>
    readonly facts: (userId: number) => Effect.Effect<Option.Option<MyUserFacts>, DatabaseUnavailable>
    /** Locks the user in the caller's transaction and returns the chosen preferences. */
    readonly lockPreferences: (
      userId: number
    ) => Effect.Effect<Option.Option<Readonly<Record<string, unknown>>>, DatabaseUnavailable>
    readonly update: (userId: number, changes: MyUserChanges) => Effect.Effect<void, DatabaseUnavailable>
    /** Adds to the chosen settings. */
    readonly setNotifications: (
      userId: number,
      chosen: Readonly<Record<string, number | undefined>>
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** Adds a bit to the announced features that the user has read. */
    readonly markFeatureRead: (userId: number, feature: number) => Effect.Effect<void, DatabaseUnavailable>
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
>()("@kinora/storage/users/MyUserRows") {
  static readonly layer = Layer.effect(
    MyUserRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const channels = (condition: Fragment) => sql`array(
        select c.actor_id from video_channel c where ${condition} order by c.id
      )`

      const byId = Effect.fn("MyUserRows.byId")(function* (userId: number) {
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

      const facts = Effect.fn("MyUserRows.facts")(function* (userId: number) {
        const rows = yield* sql<MyUserFacts>`
          select a.actor_id as "actorId", u.plugin_auth as "pluginAuth"
          from app_user u join account a on a.user_id = u.id where u.id = ${userId}`
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const lockPreferences = Effect.fn("MyUserRows.lockPreferences")(function* (userId: number) {
        const rows = yield* sql<{ preferences: Readonly<Record<string, unknown>> }>`
          select preferences from app_user where id = ${userId} for update`
        return Option.map(Option.fromUndefinedOr(rows[0]), ({ preferences }) => preferences)
      }, withDatabaseErrors)

      const update = Effect.fn("MyUserRows.update")(
        function* (userId: number, { description, displayName, preferences, ...consents }: MyUserChanges) {
          yield* sql`
            update app_user set preferences = preferences || ${JSON.stringify(preferences)}::text::jsonb,
              updated_at = now()
            where id = ${userId}`
          if (displayName !== undefined || description !== undefined) {
            yield* sql`
              update account set display_name = coalesce(${displayName ?? null}::text, display_name),
                description = case when ${description !== undefined} then ${description ?? null}::text else description end,
                updated_at = now()
              where user_id = ${userId}`
          }
          const [actor] = yield* sql<{ id: number }>`select actor_id as id from account where user_id = ${userId}`
          if (actor !== undefined) yield* setConsents(sql, actor.id, consents)
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const setNotifications = Effect.fn("MyUserRows.setNotifications")(function* (
        userId: number,
        chosen: Readonly<Record<string, number | undefined>>
      ) {
        yield* sql`
          update app_user set updated_at = now(),
            notification_settings = notification_settings || ${JSON.stringify(chosen)}::text::jsonb
          where id = ${userId}`
      }, withDatabaseErrors)

      const markFeatureRead = Effect.fn("MyUserRows.markFeatureRead")(function* (userId: number, feature: number) {
        yield* sql`
          update app_user set updated_at = now(), preferences = preferences || jsonb_build_object(
            'newFeaturesInfoRead', coalesce((preferences ->> 'newFeaturesInfoRead')::integer, 0) | ${feature}::integer
          ) where id = ${userId}`
      }, withDatabaseErrors)

      const quotaUsed = Effect.fn("MyUserRows.quotaUsed")(function* (userId: number) {
        return yield* quotaUsage(sql, userId, null)
      }, withDatabaseErrors)

      const rating = Effect.fn("MyUserRows.rating")(function* (accountId: number, videoId: number) {
        const rows = yield* sql<{ type: "like" | "dislike" }>`
          select type from account_video_rate where account_id = ${accountId} and video_id = ${videoId}`
        return rows[0]?.type
      }, withDatabaseErrors)

      return MyUserRows.of({
        byId,
        facts,
        lockPreferences,
        update,
        setNotifications,
        markFeatureRead,
        quotaUsed,
        rating
      })
    })
  )
}
