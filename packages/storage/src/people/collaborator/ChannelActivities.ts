import type { ChannelActivityAction, ChannelActivityTarget } from "@kinora/domain/enums/ChannelActivity"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ListPage } from "@kinora/domain/requests/ActorListQueries"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

interface NamedTarget {
  readonly id: number
  readonly name: string
  readonly uuid: string
  readonly shortUUID: string
  readonly url: string
}

/**
 * What the thing was called when something was done to it, in the shape clients read (contract:
 * VideoChannelActivity). Nothing for the channel itself: that is told as it is now.
 */
export interface ActivityTargets {
  readonly video?: NamedTarget & { readonly isLive: boolean }
  readonly playlist?: NamedTarget
  readonly videoImport?: NamedTarget & { readonly targetUrl: string }
  readonly channelSync?: { readonly id: number; readonly externalChannelUrl: string }
  /** Who something was given to. */
  readonly targetAccount?: { readonly username: string; readonly displayName: string; readonly url: string }
}

/** Something that was done in a channel. */
export interface NewChannelActivity {
  readonly channelId: number
  /** Who did it; null when nobody did. */
  readonly accountId: number | null
  readonly action: ChannelActivityAction
  readonly targetType: ChannelActivityTarget
  readonly target: ActivityTargets
  /** Whatever else clients may show. */
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * The account in the statement of an activity, or null when it is being deleted at this moment: nobody waits for that, and
 * no deletion waits for an activity.
 */
export const actingAccount = (sql: SqlClient, accountId: number | null) =>
  sql`(select id from account where id = ${accountId}::integer for key share skip locked)`

/**
 * Writes an activity down in the caller's transaction, for repositories. In a channel that is gone by now nothing was
 * done.
 */
export const recordActivity = (sql: SqlClient, activity: NewChannelActivity) =>
  Effect.asVoid(sql`
    insert into channel_activity (channel_id, account_id, action, target_type, target, details)
    select c.id, ${actingAccount(sql, activity.accountId)}, ${activity.action}::smallint,
      ${activity.targetType}::smallint, ${JSON.stringify(activity.target)}::text::jsonb,
      ${JSON.stringify(activity.details ?? {})}::text::jsonb
    from video_channel c where c.id = ${activity.channelId} for key share of c
  `)

/** What was done in channels, by whom. */
export class ChannelActivities extends Context.Service<
  ChannelActivities,
  {
    /** Writes an activity down, if the channel is still there; inside a transaction it commits or is undone with the rest. */
    readonly record: (activity: NewChannelActivity) => Effect.Effect<void, DatabaseUnavailable>
    /** `{"total":…,"data":[…]}` as JSON text (contract: ChannelActivityListResponse). */
    readonly list: (channelId: number, page: ListPage<"createdAt">) => Effect.Effect<string, DatabaseUnavailable>
  }
>()("@kinora/storage/collaborators/ChannelActivities") {
  static readonly layer = Layer.effect(
    ChannelActivities,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const list = Effect.fn("ChannelActivities.list")(function* (channelId: number, page: ListPage<"createdAt">) {
        const way = direction(sql, page.sort.descending)
        const rows = yield* sql<{ body: string }>`
          select '{"total":' || (select count(*) from channel_activity where channel_id = ${channelId}) || ',"data":['
            || coalesce((
              select string_agg(
                left(row_to_json(x)::text, -1) || coalesce(',"account":' || account, '')
                  || coalesce(',"targetAccount":' || target_account, '') || '}', ',' order by position
              ) from (
                select row_number() over (order by t.created_at ${way}, t.id ${way}) as position,
                  (select wire_actor_summary(a.id, a.display_name, a.actor_id, wire_origin())::text
                    from account a where a.id = t.account_id) as account,
                  (t.target -> 'targetAccount')::text as target_account,
                  t.*
                from channel_activity t where t.channel_id = ${channelId}
                order by t.created_at ${way}, t.id ${way} ${limit(sql, page)}
              ) p, lateral (
                select p.id, wire_constant('channelActivityAction', p.action::text) as action,
                  wire_constant('channelActivityTarget', p.target_type::text) as "targetType",
                  p.details, wire_time(p.created_at) as "createdAt", (
                    select row_to_json(c) from (
                      select c.id, n.preferred_username as name, c.display_name as "displayName", n.url
                      from video_channel c join actor n on n.id = c.actor_id where c.id = p.channel_id
                    ) c
                  ) as channel,
                  p.target -> 'video' as video, p.target -> 'videoImport' as "videoImport",
                  p.target -> 'playlist' as playlist, p.target -> 'channelSync' as "channelSync"
              ) x
            ), '') || ']}' as body
        `
        return rows[0]!.body
      }, withDatabaseErrors)

      return ChannelActivities.of({ list, record: (activity) => withDatabaseErrors(recordActivity(sql, activity)) })
    })
  )
}
