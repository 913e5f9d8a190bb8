import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ListPage } from "@kinora/domain/requests/ActorListQueries"
import type { Follow } from "@kinora/domain/wire/Follow"
import type { JsonPage } from "@kinora/domain/wire/Json"
import type { Account } from "@kinora/domain/wire/Account"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { actorPage } from "../../people/actor/ActorPages.ts"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { escapeLike } from "../../platform/database/LikeText.ts"
import { followPage } from "./FollowPages.ts"

/** Who is followed: one channel, or an account and all its channels. */
export type Followed = { readonly accountId: number } | { readonly channelId: number }

type FollowPage = ListPage<"createdAt">

/** Follows that were accepted, as JSON text `{"total":…,"data":[…]}`. */
export class FollowLists extends Context.Service<
  FollowLists,
  {
    /** Items are contract Follow. The search looks at the display name and the handle of who follows. */
    readonly followers: (followed: Followed, page: FollowPage) => Effect.Effect<JsonPage<Follow>, DatabaseUnavailable>
    /**
     * The accounts and channels an account follows, latest follow first, as each is answered alone: a channel has every
     * field of an account.
     */
    readonly following: (accountId: number, page: FollowPage) => Effect.Effect<JsonPage<Account>, DatabaseUnavailable>
  }
>()("@kinora/storage/accounts/FollowLists") {
  static readonly layer = Layer.effect(
    FollowLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const order = ({ sort }: FollowPage) => {
        const way = direction(sql, sort.descending)
        return sql`f.created_at ${way}, f.id ${way}`
      }

      const targets = (followed: Followed) =>
        "channelId" in followed
          ? sql`select actor_id from video_channel where id = ${followed.channelId}`
          : sql`select actor_id from account where id = ${followed.accountId}
              union all select actor_id from video_channel where account_id = ${followed.accountId}`

      /** Both sides are compared without regard to case: handles have no accents, and names are found as they are. */
      const searched = (search: string | undefined) => {
        if (search === undefined) return sql`true`
        const pattern = `%${escapeLike(search)}%`
        return sql`f.actor_id in (
          select a.id from actor a left join server s on s.id = a.server_id
            left join account c on c.actor_id = a.id left join video_channel h on h.actor_id = a.id
          where a.preferred_username::text || '@' || coalesce(s.host::text, (select wire_host(wire_origin())))
              ilike ${pattern}::text
            or c.display_name ilike ${pattern}::text or h.display_name ilike ${pattern}::text
        )`
      }

      const followers = Effect.fn("FollowLists.followers")(function* (followed: Followed, page: FollowPage) {
        const from = sql`
          from actor_follow f where f.target_actor_id in (${targets(followed)}) and f.state = 'accepted'
            and ${searched(page.search)}`
        return yield* followPage(sql, from, order(page), page)
      }, withDatabaseErrors)

      const following = Effect.fn("FollowLists.following")(function* (accountId: number, page: FollowPage) {
        const from = sql`
          from actor_follow f left join account c on c.actor_id = f.target_actor_id
            left join video_channel h on h.actor_id = f.target_actor_id
          where f.actor_id = (select actor_id from account where id = ${accountId}) and f.state = 'accepted'
            and (c.id is not null or h.id is not null)`
        const items = sql`
          select f.target_actor_id as actor_id, row_number() over (order by ${order(page)}) as position ${from}
          order by ${order(page)} ${limit(sql, page)}`
        return yield* actorPage<Account>(sql, sql`select count(*) ${from}`, items)
      }, withDatabaseErrors)

      return FollowLists.of({ followers, following })
    })
  )
}
