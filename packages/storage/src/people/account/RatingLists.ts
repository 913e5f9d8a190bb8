import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ListPage } from "@kinora/domain/requests/ActorListQueries"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** What accounts thought of videos. */
export class RatingLists extends Context.Service<
  RatingLists,
  {
    /**
     * The ratings an account gave, as JSON text: an array without a total (contract README; items are VideoRating). Only
     * videos the account may see: what was blocked or hidden since is left out, unless it is the account's own.
     */
    readonly ofAccount: (
      accountId: number,
      rating: "like" | "dislike" | undefined,
      page: ListPage<"createdAt">
    ) => Effect.Effect<string, DatabaseUnavailable>
  }
>()("@kinora/storage/accounts/RatingLists") {
  static readonly layer = Layer.effect(
    RatingLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return RatingLists.of({
        ofAccount: Effect.fn("RatingLists.ofAccount")(function* (accountId, rating, page) {
          const way = direction(sql, page.sort.descending)
          const order = sql`r.created_at ${way}, r.video_id ${way}`
          const rows = yield* sql<{ body: string }>`
            select '[' || coalesce(string_agg(
              '{"rating":"' || p.type || '","video":' || coalesce(w.summary, wire_video_summary(p.id)) || '}',
              ',' order by p.position
            ), '') || ']' as body
            from (
              select r.video_id as id, r.type, row_number() over (order by ${order}) as position
              from account_video_rate r join video v on v.id = r.video_id
              where r.account_id = ${accountId} and (${rating ?? null}::text is null or r.type = ${rating ?? null}::text)
                and (v.visible <> 0 or v.account_id = ${accountId} or (v.privacy = 2 and v.state = 1
                  and not exists (select from video_blacklist b where b.video_id = v.id)))
              order by ${order} ${limit(sql, page)}
            ) p left join video_wire w on w.video_id = p.id
          `
          return rows[0]!.body
        }, withDatabaseErrors)
      })
    })
  )
}
