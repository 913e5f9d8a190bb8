import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ListPage } from "@kinora/domain/requests/ActorListQueries"
import { type Json, jsonOf } from "@kinora/domain/wire/Json"
import type { VideoRating } from "@kinora/domain/wire/VideoRating"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { makeShownVideos, type ShownVideo, shownVideo } from "../../video/read/ShownVideos.ts"

interface RatedVideo extends ShownVideo {
  readonly rating: "like" | "dislike"
}

/** Ratings by account. */
export class RatingLists extends Context.Service<
  RatingLists,
  {
    /**
     * The ratings of an account, as JSON text: an array without a total (contract README; items are VideoRating). Only
     * videos the account may see: those blocked or hidden since are left out, unless they are the account's own.
     */
    readonly ofAccount: (
      accountId: number,
      rating: "like" | "dislike" | undefined,
      page: ListPage<"createdAt">
    ) => Effect.Effect<Json<ReadonlyArray<VideoRating>>, DatabaseUnavailable>
  }
>()("@kinora/storage/social/rating/RatingLists") {
  static readonly layer = Layer.effect(
    RatingLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const shown = yield* makeShownVideos(sql, yield* Effect.scope)
      return RatingLists.of({
        ofAccount: Effect.fn("RatingLists.ofAccount")(function* (accountId, rating, page) {
          const way = direction(sql, page.sort.descending)
          const order = sql`r.created_at ${way}, r.video_id ${way}`
          const rows = yield* sql<RatedVideo>`
            select shown.*, p.type as rating
            from (
              select r.video_id as id, r.type, row_number() over (order by ${order}) as position
              from account_video_rate r join video v on v.id = r.video_id
              where r.account_id = ${accountId} and (${rating ?? null}::text is null or r.type = ${rating ?? null}::text)
                and (v.visible <> 0 or v.account_id = ${accountId} or (v.privacy = 2 and v.state = 1
                  and not exists (select from video_blacklist b where b.video_id = v.id)))
              order by ${order} ${limit(sql, page)}
            ) p ${sql.literal(shownVideo("p.id"))} order by p.position`
          const videos = yield* shown(rows)
          const items = videos.flatMap((video, n) =>
            video === undefined ? [] : [`{"rating":"${rows[n]!.rating}","video":${video}}`]
          )
          return jsonOf<ReadonlyArray<VideoRating>>(`[${items.join()}]`)
        }, withDatabaseErrors)
      })
    })
  )
}
