import { includes, VideoInclude } from "@kinora/domain/enums/VideoInclude"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import type { Json } from "@kinora/domain/wire/Json"
import type { Video } from "@kinora/domain/wire/Video"
import { Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { instanceAccount } from "../../people/account/OwnerBlocks.ts"
import { makeShownVideos } from "./ShownVideos.ts"
import { streamingPlaylists, webVideos } from "./VideoFileJson.ts"
import { opened } from "./VideoJson.ts"
import type { ListedVideo } from "./VideoListStatement.ts"
import { videoFilesRows } from "./VideoRows.ts"
import { videoSources } from "./VideoSources.ts"

/** JSON text of each row (contract: Video), in order, with what `include` asks for. */
export type VideoItems = (
  rows: ReadonlyArray<ListedVideo>,
  query: VideoListQuery
) => Effect.Effect<ReadonlyArray<Json<Video>>, SqlError>

const blocks = ({ blockedOwner, blockedServer }: ListedVideo): string =>
  blockedOwner === undefined ? "" : `,"blockedOwner":${blockedOwner},"blockedServer":${blockedServer}`

const heavy = VideoInclude.files | VideoInclude.source | VideoInclude.tags | VideoInclude.automaticTags

/** What the instance's own rules found, in the order of names. */
const automaticTagsOf = (sql: SqlClient, ids: ReadonlyArray<number>) =>
  Effect.map(
    sql<{ id: number; names: ReadonlyArray<string> }>`
      select t.video_id as id, array_agg(t.name::text order by lower(t.name::text)) as names from video_automatic_tag t
      where t.video_id = any(${ids}::integer[]) and t.account_id in (${instanceAccount(sql)}) group by t.video_id`,
    (rows) => new Map(rows.map(({ id, names }) => [id, names]))
  )

export const makeVideoItems = Effect.fnUntraced(function* (sql: SqlClient, scope: Scope.Scope) {
  const shown = yield* makeShownVideos(sql, scope)

  /** Members that few ask for, each after a comma: files, tags and sources are read apart. */
  const heavyMembers = Effect.fnUntraced(function* (ids: ReadonlyArray<number>, include: number) {
    const files = includes(include, VideoInclude.files)
    const tags = includes(include, VideoInclude.tags)
    const rows = files || tags ? yield* videoFilesRows(sql, ids) : undefined
    const sources = includes(include, VideoInclude.source) ? yield* videoSources(sql, ids) : undefined
    const found = includes(include, VideoInclude.automaticTags) ? yield* automaticTagsOf(sql, ids) : undefined
    return ({ id }: ListedVideo): string => {
      const row = rows?.get(id)
      const videoSource = sources?.get(id)
      const members = {
        ...(row !== undefined && files
          ? {
              files: webVideos(row, row.files),
              streamingPlaylists: streamingPlaylists(row, row.playlists, row.files)
            }
          : {}),
        ...(videoSource === undefined ? {} : { videoSource }),
        ...(row !== undefined && tags ? { tags: row.tags } : {}),
        ...(found === undefined ? {} : { automaticTags: found.get(id) ?? [] })
      }
      return Object.keys(members).length === 0 ? "" : `,${opened(members).slice(1)}`
    }
  })

  const items: VideoItems = Effect.fnUntraced(function* (rows, { include = 0 }) {
    const more = includes(include, heavy)
      ? yield* heavyMembers(
          rows.map(({ id }) => id),
          include
        )
      : () => ""
    const texts = yield* shown(rows, (row) => blocks(row) + more(row))
    return texts.filter((text) => text !== undefined)
  })
  return items
})
