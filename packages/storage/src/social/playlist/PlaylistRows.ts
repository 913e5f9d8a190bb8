import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { PlaylistIdOrUuid } from "@kinora/domain/ids/PlaylistIdOrUuid"
import type { PlaylistPrivacy } from "@kinora/domain/enums/PlaylistPrivacy"
import type { PlaylistType } from "@kinora/domain/enums/PlaylistType"
import type { Json } from "@kinora/domain/wire/Json"
import type { VideoPlaylist } from "@kinora/domain/wire/VideoPlaylist"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { playlistTexts } from "../../video/playlist/PlaylistTexts.ts"

/** Everything that decides who may see or change a playlist. */
export interface PlaylistFacts {
  readonly id: number
  readonly uuid: string
  readonly url: string
  readonly name: string
  readonly privacy: PlaylistPrivacy
  readonly type: PlaylistType
  readonly remote: boolean
  readonly ownerAccountId: number
  /** Null: it is in no channel. */
  readonly channelId: number | null
  /** Accounts that accepted to work on the channel. */
  readonly collaborators: ReadonlyArray<number>
  /** Elements, whatever became of their videos. */
  readonly videosLength: number
}

/** A playlist with its answer (contract: VideoPlaylist) as JSON text. */
export interface PlaylistWithBody extends PlaylistFacts {
  readonly body: Json<VideoPlaylist>
}

/** Columns of `PlaylistFacts` of `video_playlist p`. */
export const playlistFacts = (sql: SqlClient): Fragment => sql`
  p.id, p.uuid, p.url, p.name, p.privacy, p.type, p.remote, p.owner_account_id as "ownerAccountId",
  p.channel_id as "channelId", p.videos_length as "videosLength", array(
    select k.account_id from video_channel_collaborator k where k.channel_id = p.channel_id and k.state = 2
  ) as collaborators`

const named = (sql: SqlClient, id: PlaylistIdOrUuid): Fragment =>
  id._tag === "Id" ? sql`p.id = ${id.id}` : sql`p.uuid = ${id.uuid}::uuid`

/** Playlists by name. Whether the reader may see one is the caller's to decide from what comes with it. */
export class PlaylistRows extends Context.Service<
  PlaylistRows,
  {
    readonly facts: (id: PlaylistIdOrUuid) => Effect.Effect<Option.Option<PlaylistFacts>, DatabaseUnavailable>
    readonly withBody: (id: PlaylistIdOrUuid) => Effect.Effect<Option.Option<PlaylistWithBody>, DatabaseUnavailable>
    /** Whether a file is a picture somebody chose for a playlist. */
    readonly hasThumbnail: (filename: string) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/playlists/PlaylistRows") {
  static readonly layer = Layer.effect(
    PlaylistRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = playlistFacts(sql)

      const facts = Effect.fnUntraced(function* (id: PlaylistIdOrUuid) {
        const rows = yield* sql<PlaylistFacts>`select ${columns} from video_playlist p where ${named(sql, id)}`
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const withBody = Effect.fnUntraced(function* (id: PlaylistIdOrUuid) {
        const [found] = yield* sql<PlaylistFacts>`select ${columns} from video_playlist p where ${named(sql, id)}`
        if (found === undefined) return Option.none()
        const body = (yield* playlistTexts(sql, [found.id])).get(found.id)
        return body === undefined ? Option.none() : Option.some({ ...found, body })
      }, withDatabaseErrors)

      const hasThumbnail = Effect.fnUntraced(function* (filename: string) {
        const rows = yield* sql`select 1 from video_playlist_thumbnail where filename = ${filename}`
        return rows.length > 0
      }, withDatabaseErrors)

      return PlaylistRows.of({ facts, withBody, hasThumbnail })
    })
  )
}
