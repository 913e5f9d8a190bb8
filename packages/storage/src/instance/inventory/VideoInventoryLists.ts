import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { escapeLike } from "../../platform/database/LikeText.ts"

/** A video, whoever may see it, as operators list it. */
export interface InventoriedVideo {
  readonly id: number
  readonly uuid: string
  readonly name: string
  /** Name of the channel, with its host when it belongs to another instance. */
  readonly channel: string
  readonly remote: boolean
  readonly state: number
  readonly privacy: number
  readonly blocked: boolean
  readonly views: number
  /** Bytes of its renditions here. The kept source counts too. */
  readonly bytes: number
  readonly createdAt: string
}

export interface InventoryQuery {
  /** Videos of other instances instead of those of this one. */
  readonly remote: boolean
  readonly blocked?: boolean | undefined
  /** Part of the name, or of the name of the channel, ignoring case. */
  readonly search?: string | undefined
  readonly sort: "newest" | "largest" | "most-viewed"
  readonly count: number
}

const orders = { newest: "id desc", largest: "bytes desc, id desc", "most-viewed": "views desc, id desc" } as const

/** Every video there is, for operators. */
export class VideoInventoryLists extends Context.Service<
  VideoInventoryLists,
  {
    readonly list: (
      query: InventoryQuery
    ) => Effect.Effect<{ readonly total: number; readonly data: ReadonlyArray<InventoriedVideo> }, DatabaseUnavailable>
  }
>()("@kinora/storage/instance/inventory/VideoInventoryLists") {
  static readonly layer = Layer.effect(
    VideoInventoryLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const list = Effect.fn("VideoInventoryLists.list")(function* (query: InventoryQuery) {
        const pattern = `%${escapeLike(query.search ?? "")}%`
        const found = sql`
          from video v join video_channel c on c.id = v.channel_id join actor a on a.id = c.actor_id
            left join server s on s.id = a.server_id left join video_blacklist b on b.video_id = v.id
          where ${sql.and([
            sql`v.remote = ${query.remote}`,
            query.search === undefined
              ? sql`true`
              : sql`(v.name ilike ${pattern} or a.preferred_username::text ilike ${pattern})`,
            query.blocked === undefined ? sql`true` : sql`(b.id is not null) = ${query.blocked}`
          ])}`
        const [counted] = yield* sql<{ total: number }>`select count(*)::integer as total ${found}`
        const data = yield* sql<InventoriedVideo>`
          select v.id, v.uuid::text as uuid, v.name,
            a.preferred_username::text || coalesce('@' || s.host::text, '') as channel,
            v.remote, v.state, v.privacy, b.id is not null as blocked, v.views,
            (v.local_files_size + coalesce((
              select sum(k.size) from video_source k where k.video_id = v.id and k.filename is not null), 0)
            )::bigint as bytes,
            wire_time(v.created_at) as "createdAt" ${found}
          order by ${sql.literal(orders[query.sort])} limit ${query.count}`
        return { total: counted!.total, data }
      }, withDatabaseErrors)

      return VideoInventoryLists.of({ list })
    })
  )
}
