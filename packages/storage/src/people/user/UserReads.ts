import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Sort } from "@kinora/domain/requests/Pagination"
import type { UserSort } from "@kinora/domain/requests/UserRequests"
import type { Account } from "@kinora/domain/wire/Account"
import type { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { accountOf, actorRows, channelOf } from "../actor/ActorTexts.ts"
import { heldFiles } from "./QuotaUsage.ts"
import { escapeLike } from "../../platform/database/LikeText.ts"

/** A complete user. Times are ISO 8601 in UTC. `preferences` and `notificationSettings` contain only chosen values. */
export interface UserRow {
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
  /** Bytes of all files and kept sources, and of those of videos of the last 24 hours. */
  readonly videoQuotaUsed: number
  readonly videoQuotaUsedDaily: number
  readonly videosCount: number
  /** Reports about the user, those of them that moderators accepted, and reports by the user. */
  readonly abusesCount: number
  readonly abusesAcceptedCount: number
  readonly abusesCreatedCount: number
  /** Deleted comments belong to nobody. */
  readonly videoCommentsCount: number
  readonly preferences: Readonly<Record<string, unknown>>
  readonly notificationSettings: Readonly<Record<string, number>>
  readonly pluginAuth: string | null
  readonly twoFactorEnabled: boolean
  readonly createdAt: string
  readonly lastLoginDate: string | null
  readonly account: Account
  readonly videoChannels: ReadonlyArray<VideoChannel>
}

interface Found extends Omit<UserRow, "account" | "videoChannels"> {
  readonly accountActorId: number
  readonly channelActorIds: ReadonlyArray<number>
}

export interface UserQuery {
  /** Part of the username or of the email address, ignoring case. */
  readonly search?: string | undefined
  readonly blocked?: boolean | undefined
  readonly role?: number | undefined
  readonly sort: Sort<UserSort>
  readonly start: number
  readonly count: number
}

const maxNames = 10

/** The users of this instance, for administrators and moderators. */
export class UserReads extends Context.Service<
  UserReads,
  {
    readonly list: (
      query: UserQuery
    ) => Effect.Effect<{ readonly total: number; readonly data: ReadonlyArray<UserRow> }, DatabaseUnavailable>
    readonly byId: (userId: number) => Effect.Effect<Option.Option<UserRow>, DatabaseUnavailable>
    /** The id of the user who logs in with this name. */
    readonly idOf: (username: string) => Effect.Effect<Option.Option<number>, DatabaseUnavailable>
    /** Names of at most ten unblocked users that contain the text. Those that begin with it come first. */
    readonly names: (text: string) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
  }
>()("@kinora/storage/users/UserReads") {
  static readonly layer = Layer.effect(
    UserReads,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const rowsOf = (ids: ReadonlyArray<number>) => sql<Found>`
        with ${heldFiles(sql, sql`v.account_id in (select id from account where user_id = any(${ids}::int[]))`)},
        bytes as (
          select account_id, sum(size)::bigint as used, (sum(size) filter (where recent))::bigint as daily
          from held group by account_id
        ),
        videos as (select account_id, count(*) as videos from own group by account_id)
        select u.id, u.username::text as username, u.email::text as email, u.pending_email::text as "pendingEmail",
          u.email_verified as "emailVerified", u.role, u.admin_flags as "adminFlags", u.blocked,
          u.blocked_reason as "blockedReason", u.video_quota as "videoQuota",
          u.video_quota_daily as "videoQuotaDaily", coalesce(b.used, 0)::bigint as "videoQuotaUsed",
          coalesce(b.daily, 0)::bigint as "videoQuotaUsedDaily", coalesce(n.videos, 0)::bigint as "videosCount",
          (select count(*) from abuse r where r.flagged_account_id = a.id)::integer as "abusesCount",
          (select count(*) from abuse r where r.flagged_account_id = a.id and r.state = 3)::integer as "abusesAcceptedCount",
          (select count(*) from abuse r where r.reporter_account_id = a.id)::integer as "abusesCreatedCount",
          (select count(*) from video_comment m where m.account_id = a.id)::integer as "videoCommentsCount",
          u.preferences, u.notification_settings as "notificationSettings", u.plugin_auth as "pluginAuth",
          u.otp_secret is not null as "twoFactorEnabled",
          wire_time(u.created_at) as "createdAt", wire_time(u.last_login_at) as "lastLoginDate",
          a.actor_id as "accountActorId",
          array(select c.actor_id from video_channel c where c.account_id = a.id order by c.id) as "channelActorIds"
        from app_user u
        join account a on a.user_id = u.id
        left join bytes b on b.account_id = a.id
        left join videos n on n.account_id = a.id
        where u.id = any(${ids}::int[])
      `

      /** Each of the users in full, in no order. */
      const inFull = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
        const found = yield* rowsOf(ids)
        const actors = yield* actorRows(
          sql,
          found.flatMap(({ accountActorId, channelActorIds }) => [accountActorId, ...channelActorIds])
        )
        return found.flatMap(({ accountActorId, channelActorIds, ...row }): ReadonlyArray<UserRow> => {
          const account = accountOf(actors, accountActorId)
          const videoChannels = channelActorIds.flatMap((actorId) => channelOf(actors, actorId) ?? [])
          return account === undefined ? [] : [{ ...row, account, videoChannels }]
        })
      })

      const columns: Readonly<Record<UserSort, Fragment>> = {
        id: sql`u.id`,
        username: sql`u.username`,
        videoQuotaUsed: sql`coalesce(b.used, 0)`,
        createdAt: sql`u.created_at`,
        lastLoginDate: sql`u.last_login_at`,
        role: sql`u.role`
      }

      const order = ({ by, descending }: Sort<UserSort>) =>
        descending
          ? sql`order by ${columns[by]} desc nulls last, u.id desc`
          : sql`order by ${columns[by]} asc nulls first, u.id asc`

      const matching = ({ blocked, role, search }: UserQuery) => {
        const part = `%${escapeLike(search ?? "").toLowerCase()}%`
        return sql.and([
          search === undefined || search === ""
            ? sql`true`
            : sql`(u.username::text like ${part} or lower(u.email::text) like ${part})`,
          blocked === undefined ? sql`true` : sql`u.blocked = ${blocked}`,
          role === undefined ? sql`true` : sql`u.role = ${role}::smallint`
        ])
      }

      /** Sums up all files only if the order needs it, else only those of the page's users. */
      const page = (query: UserQuery) =>
        query.sort.by === "videoQuotaUsed"
          ? sql<{ id: number }>`
              with ${heldFiles(sql, sql`true`)},
              bytes as (select account_id, sum(size)::bigint as used from held group by account_id)
              select u.id from app_user u join account a on a.user_id = u.id left join bytes b on b.account_id = a.id
              where ${matching(query)} ${order(query.sort)} limit ${query.count} offset ${query.start}`
          : sql<{ id: number }>`
              select u.id from app_user u
              where ${matching(query)} ${order(query.sort)} limit ${query.count} offset ${query.start}`

      const list = Effect.fn("UserReads.list")(function* (query: UserQuery) {
        const totals = yield* sql<{ total: number }>`
          select count(*) as total from app_user u where ${matching(query)}`
        const ids = query.count === 0 ? [] : (yield* page(query)).map(({ id }) => id)
        const found = new Map((ids.length === 0 ? [] : yield* inFull(ids)).map((row) => [row.id, row]))
        // A user who was deleted meanwhile is left out.
        return { total: totals[0]!.total, data: ids.flatMap((id) => found.get(id) ?? []) }
      }, withDatabaseErrors)

      const byId = Effect.fn("UserReads.byId")(function* (userId: number) {
        return Option.fromUndefinedOr((yield* inFull([userId]))[0])
      }, withDatabaseErrors)

      const idOf = Effect.fn("UserReads.idOf")(function* (username: string) {
        const rows = yield* sql<{ id: number }>`select id from app_user where username = ${username}`
        return Option.map(Option.fromUndefinedOr(rows[0]), ({ id }) => id)
      }, withDatabaseErrors)

      const names = Effect.fn("UserReads.names")(function* (text: string) {
        const part = escapeLike(text).toLowerCase()
        const rows = yield* sql<{ username: string }>`
          select username::text as username from app_user
          where username::text like ${`%${part}%`} and not blocked
          order by username::text not like ${`${part}%`}, username limit ${maxNames}
        `
        return rows.map(({ username }) => username)
      }, withDatabaseErrors)

      return UserReads.of({ list, byId, idOf, names })
    })
  )
}
