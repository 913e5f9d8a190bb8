import type { VideoBlockType } from "@kinora/domain/enums/VideoBlockType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoBlockColumn } from "@kinora/domain/requests/BlockRequests"
import type { Sort } from "@kinora/domain/requests/Pagination"
import { type JsonPage, jsonOf } from "@kinora/domain/wire/Json"
import type { VideoBlock } from "@kinora/domain/wire/VideoBlock"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { escapeLike } from "../../platform/database/LikeText.ts"
import { textPage } from "../../platform/database/TextPage.ts"
import { makeShownVideos, type ShownVideo, shownVideo } from "../read/ShownVideos.ts"

export interface VideoBlockPage {
  readonly start: number
  readonly count: number
  readonly sort: Sort<VideoBlockColumn>
  readonly type: VideoBlockType | undefined
  /** Part of the video's name. */
  readonly search: string | undefined
}

interface ListedBlock extends ShownVideo {
  readonly blockId: number
  readonly reason: string | null
  readonly internalNote: string | null
  readonly unfederated: boolean
  readonly type: VideoBlockType
  readonly createdAt: string
  readonly updatedAt: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const shown = yield* makeShownVideos(sql, yield* Effect.scope)

  const order = ({ by, descending }: Sort<VideoBlockColumn>): Fragment => {
    const way = direction(sql, descending)
    const columns = { id: "b.id", createdAt: "b.created_at" } as const
    const column = by === "id" || by === "createdAt" ? columns[by] : `v.${by}`
    return sql`${sql.literal(column)} ${way}, b.id ${way}`
  }

  const list = Effect.fn("VideoBlockLists.list")(function* (page: VideoBlockPage) {
    const ofType = page.type === undefined ? sql`` : sql`and b.type = ${page.type}`
    const found = page.search === undefined ? sql`` : sql`and v.name ilike ${`%${escapeLike(page.search)}%`}`
    const from = sql`from video_blacklist b join video v on v.id = b.video_id where true ${ofType} ${found}`
    const [counted] = yield* sql<{ total: number }>`select count(*)::int as total ${from}`
    const rows = yield* sql<ListedBlock>`
      select shown.*, p.* from (
        select b.video_id, b.id as "blockId", b.reason, b.internal_note as "internalNote", b.unfederated, b.type,
          wire_time(b.created_at) as "createdAt", wire_time(b.updated_at) as "updatedAt",
          row_number() over (order by ${order(page.sort)}) as position ${from}
        order by ${order(page.sort)} ${limit(sql, page)}
      ) p ${sql.literal(shownVideo("p.video_id"))} order by p.position`
    const videos = yield* shown(rows)
    const items = rows.map((row, place) => {
      const video = videos[place]
      const { blockId, createdAt, internalNote, reason, type, unfederated, updatedAt } = row
      const block = JSON.stringify({ id: blockId, reason, internalNote, unfederated, type, createdAt, updatedAt })
      // A video that is deleted at this moment takes its block with it.
      return video === undefined ? undefined : jsonOf<VideoBlock>(`${block.slice(0, -1)},"video":${video}}`)
    })
    return textPage(counted?.total ?? 0, items)
  }, withDatabaseErrors)

  return VideoBlockLists.of({ list })
})

/** Lists of videos taken from view. */
export class VideoBlockLists extends Context.Service<
  VideoBlockLists,
  {
    readonly list: (page: VideoBlockPage) => Effect.Effect<JsonPage<VideoBlock>, DatabaseUnavailable>
  }
>()("@kinora/storage/video/block/VideoBlockLists") {
  static readonly layer = Layer.effect(VideoBlockLists, make)
}
