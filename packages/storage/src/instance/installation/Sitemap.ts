import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** A page for search engines. Times are ISO 8601, UTC. */
export interface SitemapRow {
  readonly kind: "video" | "account" | "channel"
  /** UUID of a video, or name of an account or channel. */
  readonly name: string
  readonly modifiedAt: string
}

/** Public local videos, accounts and channels, newest first. */
export class Sitemap extends Context.Service<
  Sitemap,
  { readonly rows: (limit: number) => Effect.Effect<ReadonlyArray<SitemapRow>, DatabaseUnavailable> }
>()("@kinora/storage/instance/Sitemap") {
  static readonly layer = Layer.effect(
    Sitemap,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = Effect.fn("Sitemap.rows")(function* (limit: number) {
        return yield* sql<SitemapRow>`
          (
            select 'video' as kind, uuid::text as name,
              to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "modifiedAt"
            from video v where listed and not remote and not exists (
              select from actor a where not a.indexable and a.id in (
                (select actor_id from video_channel where id = v.channel_id), (select actor_id from account where id = v.account_id)
              )
            ) order by published_at desc, id desc limit ${limit}::int
          ) union all (
            select case type when 'Group' then 'channel' else 'account' end, preferred_username::text,
              to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
            from actor where server_id is null and type in ('Person', 'Group') and indexable order by id desc limit ${limit}::int
          )
        `
      }, withDatabaseErrors)
      return Sitemap.of({ rows })
    })
  )
}
