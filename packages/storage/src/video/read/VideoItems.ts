import { includes, VideoInclude } from "@kinora/domain/enums/VideoInclude"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import type { Json } from "@kinora/domain/wire/Json"
import type { Video } from "@kinora/domain/wire/Video"
import { Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
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

const heavy = VideoInclude.files | VideoInclude.source | VideoInclude.tags

export const makeVideoItems = Effect.fnUntraced(function* (sql: SqlClient, scope: Scope.Scope) {
  const shown = yield* makeShownVideos(sql, scope)

  /** Members that few ask for, each after a comma: files, tags and sources are read apart. */
  const heavyMembers = Effect.fnUntraced(function* (ids: ReadonlyArray<number>, include: number) {
    const files = includes(include, VideoInclude.files)
    const tags = includes(include, VideoInclude.tags)
    const rows = files || tags ? yield* videoFilesRows(sql, ids) : undefined
    const sources = includes(include, VideoInclude.source) ? yield* videoSources(sql, ids) : undefined
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
        ...(row !== undefined && tags ? { tags: row.tags } : {})
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
