import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { InstanceFollowPage } from "@kinora/domain/requests/FollowRequests"
import type { Follow } from "@kinora/domain/wire/Follow"
import type { JsonPage } from "@kinora/domain/wire/Json"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { direction } from "../../platform/database/JsonPage.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { escapeLike } from "../../platform/database/LikeText.ts"
import { instanceActor } from "./InstanceActor.ts"
import { followPage } from "./FollowPages.ts"

/** Whom the instance follows and who follows it, as JSON text `{"total":…,"data":[…]}` of contract Follow. */
export class InstanceFollowLists extends Context.Service<
  InstanceFollowLists,
  {
    /** Follows of the instance that were accepted or wait; those refused are in no list. */
    readonly followers: (page: InstanceFollowPage) => Effect.Effect<JsonPage<Follow>, DatabaseUnavailable>
    readonly following: (page: InstanceFollowPage) => Effect.Effect<JsonPage<Follow>, DatabaseUnavailable>
  }
>()("@kinora/storage/follows/InstanceFollowLists") {
  static readonly layer = Layer.effect(
    InstanceFollowLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const order = ({ sort }: InstanceFollowPage) => {
        const way = direction(sql, sort.descending)
        switch (sort.by) {
          case "createdAt":
            return sql`f.created_at ${way}, f.id ${way}`
          case "state":
            return sql`f.state ${way}, f.id ${way}`
          case "score":
            return sql`f.score ${way}, f.id ${way}`
          case "redundancyAllowed":
            return sql`coalesce(s.redundancy_allowed, false) ${way}, f.id ${way}`
        }
      }

      const list = (side: "followers" | "following", page: InstanceFollowPage) => {
        const ours = sql.literal(side === "followers" ? "f.target_actor_id" : "f.actor_id")
        const theirs = sql.literal(side === "followers" ? "f.actor_id" : "f.target_actor_id")
        const searched =
          page.search === undefined
            ? sql``
            : sql`and a.preferred_username::text || '@' || coalesce(s.host::text, (select wire_host(wire_origin())))
                ilike ${`%${escapeLike(page.search)}%`}::text`
        const from = sql`
          from actor_follow f join actor a on a.id = ${theirs} left join server s on s.id = a.server_id
          where ${ours} = ${instanceActor(sql)}
            and ${page.state === undefined ? sql`f.state <> 'rejected'` : sql`f.state = ${page.state}`}
            ${page.actorType === undefined ? sql`` : sql`and a.type = ${page.actorType}`} ${searched}`
        return withDatabaseErrors(followPage(sql, from, order(page), page))
      }

      return InstanceFollowLists.of({
        followers: (page) => Effect.withSpan(list("followers", page), "InstanceFollowLists.followers"),
        following: (page) => Effect.withSpan(list("following", page), "InstanceFollowLists.following")
      })
    })
  )
}
