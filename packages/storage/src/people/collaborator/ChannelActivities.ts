import {
  type ChannelActivityAction,
  channelActivityActionLabels,
  type ChannelActivityTarget,
  channelActivityTargetLabels
} from "@kinora/domain/enums/ChannelActivity"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import { labelled } from "@kinora/domain/enums/Labelled"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ListPage } from "@kinora/domain/requests/ActorListQueries"
import type { VideoChannelActivity } from "@kinora/domain/wire/ChannelActivity"
import { type Json, type JsonPage, toJson } from "@kinora/domain/wire/Json"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type ActorRow, actorSummary } from "../actor/ActorJson.ts"
import { actorRows } from "../actor/ActorTexts.ts"
import { textPage } from "../../platform/database/TextPage.ts"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

interface NamedTarget {
  readonly id: number
  readonly name: string
  readonly uuid: string
  readonly url: string
}

/**
 * The names of things at the time of an activity. The channel itself is not included: clients see its present name.
 */
export interface ActivityTargets {
  readonly video?: NamedTarget & { readonly isLive: boolean }
  readonly playlist?: NamedTarget
  readonly videoImport?: NamedTarget & { readonly targetUrl: string }
  readonly channelSync?: { readonly id: number; readonly externalChannelUrl: string }
  /** The recipient, if something was given away. */
  readonly targetAccount?: { readonly username: string; readonly displayName: string; readonly url: string }
}

/** An activity in a channel. */
export interface NewChannelActivity {
  readonly channelId: number
  /** The acting account; null for automatic changes. */
  readonly accountId: number | null
  readonly action: ChannelActivityAction
  readonly targetType: ChannelActivityTarget
  readonly target: ActivityTargets
  /** Other details for clients. */
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * The acting account in the activity's statement, or null if the account is being deleted at this moment: activities
 * and deletions never wait for each other.
 */
export const actingAccount = (sql: SqlClient, accountId: number | null) =>
  sql`(select id from account where id = ${accountId}::integer for key share skip locked)`

/** Records an activity in the caller's transaction, for repositories. Does nothing if the channel was deleted. */
export const recordActivity = (sql: SqlClient, activity: NewChannelActivity) =>
  Effect.asVoid(sql`
    insert into channel_activity (channel_id, account_id, action, target_type, target, details)
    select c.id, ${actingAccount(sql, activity.accountId)}, ${activity.action}::smallint,
      ${activity.targetType}::smallint, ${JSON.stringify(activity.target)}::text::jsonb,
      ${JSON.stringify(activity.details ?? {})}::text::jsonb
    from video_channel c where c.id = ${activity.channelId} for key share of c
  `)

interface ActivityRow {
  readonly id: number
  /** Null: the account was deleted. */
  readonly actorId: number | null
  readonly action: number
  readonly targetType: number
  readonly target: ActivityTargets
  readonly details: Readonly<Record<string, unknown>>
  readonly createdAt: string
  readonly channelId: number
  readonly name: string
  readonly displayName: string
  readonly url: string
}

type MaybeActivity = { readonly total: number } & (ActivityRow | { readonly id: null })

const isActivity = (row: MaybeActivity): row is MaybeActivity & ActivityRow => row.id !== null

/** A target as clients see it. Rows written by earlier versions have the short form already. */
const named = <A extends NamedTarget>(target: A | undefined) =>
  target === undefined ? null : { ...target, shortUUID: toShortUuid(target.uuid) }

/** An activity (contract: VideoChannelActivity). */
const channelActivity = (row: ActivityRow, actor: ActorRow | undefined): Json<VideoChannelActivity> =>
  toJson<VideoChannelActivity>({
    id: row.id,
    action: labelled(row.action, channelActivityActionLabels),
    targetType: labelled(row.targetType, channelActivityTargetLabels),
    details: row.details,
    createdAt: row.createdAt,
    channel: { id: row.channelId, name: row.name, displayName: row.displayName, url: row.url },
    video: named(row.target.video),
    videoImport: named(row.target.videoImport),
    playlist: named(row.target.playlist),
    channelSync: row.target.channelSync ?? null,
    ...(actor === undefined ? {} : { account: actorSummary(actor) }),
    ...(row.target.targetAccount === undefined ? {} : { targetAccount: row.target.targetAccount })
  })

/** The activity log of channels. */
export class ChannelActivities extends Context.Service<
  ChannelActivities,
  {
    /** Records an activity, if the channel still exists. Takes part in the caller's transaction. */
    readonly record: (activity: NewChannelActivity) => Effect.Effect<void, DatabaseUnavailable>
    /** `{"total":…,"data":[…]}` as JSON text (contract: ChannelActivityListResponse). */
    readonly list: (
      channelId: number,
      page: ListPage<"createdAt">
    ) => Effect.Effect<JsonPage<VideoChannelActivity>, DatabaseUnavailable>
  }
>()("@kinora/storage/collaborators/ChannelActivities") {
  static readonly layer = Layer.effect(
    ChannelActivities,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const list = Effect.fn("ChannelActivities.list")(function* (channelId: number, page: ListPage<"createdAt">) {
        const way = direction(sql, page.sort.descending)
        const rows = yield* sql<MaybeActivity>`
          select t.total, p.* from (
            select count(*) as total from channel_activity where channel_id = ${channelId}
          ) t left join (
            select t.id, a.actor_id as "actorId", t.action, t.target_type as "targetType", t.target, t.details,
              wire_time(t.created_at) as "createdAt", c.id as "channelId", n.preferred_username::text as name,
              c.display_name as "displayName", n.url,
              row_number() over (order by t.created_at ${way}, t.id ${way}) as position
            from channel_activity t join video_channel c on c.id = t.channel_id join actor n on n.id = c.actor_id
              left join account a on a.id = t.account_id
            where t.channel_id = ${channelId} order by t.created_at ${way}, t.id ${way} ${limit(sql, page)}
          ) p on true order by p.position`
        const found = rows.filter(isActivity)
        const actors = yield* actorRows(sql, [...new Set(found.flatMap(({ actorId }) => actorId ?? []))])
        return textPage(
          rows[0]?.total ?? 0,
          found.map((row) => channelActivity(row, row.actorId === null ? undefined : actors.get(row.actorId)))
        )
      }, withDatabaseErrors)

      return ChannelActivities.of({ list, record: (activity) => withDatabaseErrors(recordActivity(sql, activity)) })
    })
  )
}
