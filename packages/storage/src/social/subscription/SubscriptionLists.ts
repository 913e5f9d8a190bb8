import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { ListPage } from "@kinora/domain/requests/ActorListQueries"
import type { SubscriptionSortColumn } from "@kinora/domain/requests/SubscriptionRequests"
import { type Json, jsonOf, type JsonPage } from "@kinora/domain/wire/Json"
import type { SubscribedChannel } from "@kinora/domain/wire/SubscribedChannel"
import type { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { isActorNamed } from "../../people/actor/ActorNamed.ts"
import { actorOf, actorPage } from "../../people/actor/ActorPages.ts"
import type { KeptActorText } from "../../people/actor/ActorTexts.ts"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { escapeLike } from "../../platform/database/LikeText.ts"

/** Which channels users of this instance follow. */
export class SubscriptionLists extends Context.Service<
  SubscriptionLists,
  {
    /**
     * JSON text `{"total":…,"data":[…]}` of channels whose follow was accepted (contract: VideoChannelList); with a group those
     * in it, of which the group of another user has none.
     */
    readonly list: (
      userId: number,
      page: ListPage<SubscriptionSortColumn>,
      groupId?: number
    ) => Effect.Effect<JsonPage<SubscribedChannel>, DatabaseUnavailable>
    /** Which of the channels, by their place in the list, the user follows or has asked to follow. */
    readonly exist: (
      userId: number,
      handles: ReadonlyArray<ActorHandle>
    ) => Effect.Effect<ReadonlySet<number>, DatabaseUnavailable>
    /** JSON text of the channel, when the user follows it. */
    readonly find: (
      userId: number,
      handle: ActorHandle
    ) => Effect.Effect<Option.Option<Json<VideoChannel>>, DatabaseUnavailable>
  }
>()("@kinora/storage/social/subscription/SubscriptionLists") {
  static readonly layer = Layer.effect(
    SubscriptionLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const mine = (userId: number) => sql`(select actor_id from account where user_id = ${userId})`

      /** When the newest video that users of this instance see was published: the first entry of an index that fits. */
      const latest = (channelId: Fragment) => sql`(
        select v.published_at from video v where v.channel_id = ${channelId} and v.visible <> 0
        order by v.published_at desc, v.id desc limit 1)`

      const order = ({ sort }: ListPage<SubscriptionSortColumn>) => {
        const way = direction(sql, sort.descending)
        switch (sort.by) {
          case "id":
            return sql`f.id ${way}`
          case "createdAt":
            return sql`f.created_at ${way}, f.id ${way}`
          case "channelUpdatedAt":
            return sql`h.updated_at ${way}, f.id ${way}`
          case "latestVideoAt":
            // Without any video: the oldest.
            return sql`coalesce(${latest(sql`h.id`)}, 'epoch') ${way}, f.id ${way}`
        }
      }

      const list = Effect.fn("SubscriptionLists.list")(function* (
        userId: number,
        page: ListPage<SubscriptionSortColumn>,
        groupId?: number
      ) {
        const pattern = page.search === undefined ? undefined : `%${escapeLike(page.search)}%`
        const found =
          pattern === undefined
            ? sql``
            : sql`and (h.display_name ilike ${pattern}::text or exists (
                select 1 from actor a left join server s on s.id = a.server_id where a.id = f.target_actor_id
                  and a.preferred_username::text || '@' || coalesce(s.host::text, wire_host(wire_origin()))
                    ilike ${pattern}::text
              ))`
        const grouped =
          groupId === undefined
            ? sql``
            : sql`and exists (
                select 1 from subscription_group_member g where g.follow_id = f.id and g.group_id = ${groupId}::integer)`
        const from = sql`
          from actor_follow f join video_channel h on h.actor_id = f.target_actor_id
          where f.actor_id = ${mine(userId)} and f.state = 'accepted' ${found} ${grouped}`
        // The newest videos are looked up for the channels of the page alone.
        const items = sql`
          select c.actor_id, c.position, wire_time(${latest(sql`c.id`)}) as "latestVideoAt" from (
            select h.id, h.actor_id, row_number() over (order by ${order(page)}) as position ${from}
            order by ${order(page)} ${limit(sql, page)}
          ) c`
        return yield* actorPage<SubscribedChannel, Pick<SubscribedChannel, "latestVideoAt">>(
          sql,
          sql`select count(*) ${from}`,
          items,
          ({ latestVideoAt }) => `,"latestVideoAt":${JSON.stringify(latestVideoAt)}`
        )
      }, withDatabaseErrors)

      const exist = Effect.fn("SubscriptionLists.exist")(function* (
        userId: number,
        handles: ReadonlyArray<ActorHandle>
      ) {
        const rows = yield* sql<{ place: number }>`
          select (n.place - 1)::integer as place
          from unnest(${handles.map(({ name }) => name)}::text[], ${handles.map(({ host }) => host ?? "")}::text[])
            with ordinality n (name, host, place)
          where exists (
            select 1 from actor a left join server s on s.id = a.server_id
              join actor_follow f on f.target_actor_id = a.id
            where a.preferred_username = n.name::citext and f.actor_id = ${mine(userId)} and f.state <> 'rejected'
              and s.host is not distinct from nullif(nullif(n.host, ''), lower(wire_host(wire_origin())))::citext
          )`
        return new Set(rows.map(({ place }) => place))
      }, withDatabaseErrors)

      const find = Effect.fn("SubscriptionLists.find")(function* (userId: number, handle: ActorHandle) {
        const rows = yield* sql<KeptActorText>`
          select a.id as "actorId", (select w.text from actor_read_model w where w.actor_id = a.id) as text
          from actor a join video_channel h on h.actor_id = a.id
          where ${isActorNamed(sql, handle)} and exists (
            select 1 from actor_follow f
            where f.actor_id = ${mine(userId)} and f.target_actor_id = a.id and f.state = 'accepted'
          )`
        const found = yield* actorOf(sql, rows)
        return Option.map(Option.fromUndefinedOr(found), ({ text }) => jsonOf<VideoChannel>(text))
      }, withDatabaseErrors)

      return SubscriptionLists.of({ list, exist, find })
    })
  )
}
