import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import type { VideoFacts } from "../../video/access/VideoFacts.ts"
import type { VideoViewer } from "../../video/read/VideoQuery.ts"

/** A place of a playlist. What the reader may see of its video is the caller's to decide. */
export interface PlaylistPlace {
  readonly id: number
  readonly position: number
  /** Seconds. */
  readonly startTimestamp: number | null
  readonly stopTimestamp: number | null
  /** Null once the video is deleted. */
  readonly video: VideoFacts | null
  /** The reader, or the instance, blocks whose the video is. */
  readonly blocked: boolean
  /** The video as a list shows it (contract: Video), as JSON text. */
  readonly summary: string | null
}

export interface PlaylistPlaces {
  readonly total: number
  readonly places: ReadonlyArray<PlaylistPlace>
}

interface Row {
  readonly total: number
  readonly places: ReadonlyArray<PlaylistPlace>
}

interface ExistRow {
  readonly videoId: number
  readonly id: number
  readonly playlistId: number
  readonly name: string
  readonly uuid: string
  readonly start: number | null
  readonly stop: number | null
}

const collaborators = `array(
  select k.account_id from video_channel_collaborator k where k.channel_id = v.channel_id and k.state = 2)`

const page = (viewer: boolean) => `
  with blockers as materialized (
    select i.id from account i join actor ia on ia.id = i.actor_id
      where ia.server_id is null and ia.type = 'Application'
    union all select $4::int where $4::int is not null
  )
  select p.videos_length as total, coalesce((
    select json_agg(json_build_object(
      'id', e.id, 'position', e.position, 'startTimestamp', e.start_timestamp, 'stopTimestamp', e.stop_timestamp,
      'video', case when v.id is not null then json_build_object(
        'id', v.id, 'uuid', v.uuid, 'privacy', v.privacy, 'state', v.state, 'remote', v.remote,
        'accountId', v.account_id, 'channelId', v.channel_id,
        'blacklisted', exists (select 1 from video_blacklist b where b.video_id = v.id),
        'collaborators', ${viewer ? collaborators : "'{}'::int[]"}
      ) end,
      'blocked', v.id is not null and (
        exists (select 1 from account_block b where b.target_account_id = v.account_id
          and b.account_id in (select id from blockers))
        or exists (select 1 from server_block b where b.server_id = v.server_id
          and b.account_id in (select id from blockers))
      ),
      'summary', case when v.id is not null then ${
        viewer
          ? `coalesce(left(coalesce(w.summary, wire_video_summary(v.id)), -1) || ',"userHistory":{"currentTime":' || (
              select h.current_time_seconds from user_video_history h where h.user_id = $5::int and h.video_id = v.id
            ) || '}}', w.summary, wire_video_summary(v.id))`
          : `case when $5::int is null then coalesce(w.summary, wire_video_summary(v.id)) end`
      } end
    ) order by e.position)
    from (
      select * from video_playlist_element where playlist_id = p.id order by position limit $2::int offset $3::int
    ) e left join video v on v.id = e.video_id left join video_wire w on w.video_id = v.id
  ), '[]') as places
  from video_playlist p where p.id = $1::int`

const anonymousPage = page(false)
const viewerPage = page(true)

/** What stands in playlists. */
export class PlaylistElementReads extends Context.Service<
  PlaylistElementReads,
  {
    /** Places in order, in one statement; those of a playlist that is gone are none. */
    readonly page: (
      playlistId: number,
      bounds: { readonly start: number; readonly count: number },
      viewer?: VideoViewer
    ) => Effect.Effect<PlaylistPlaces, DatabaseUnavailable>
    /**
     * Where each of these videos stands in playlists the account owns, as JSON text (contract: VideosExistInPlaylists): every
     * id is there, if only with an empty list.
     */
    readonly exist: (accountId: number, videoIds: ReadonlyArray<number>) => Effect.Effect<string, DatabaseUnavailable>
    /** Whether the video stands in the user's history. */
    readonly hasWatched: (userId: number, videoId: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/playlists/PlaylistElementReads") {
  static readonly layer = Layer.effect(
    PlaylistElementReads,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const read: PlaylistElementReads["Service"]["page"] = Effect.fn("PlaylistElementReads.page")(function* (
        playlistId,
        { count, start },
        viewer
      ) {
        const rows = yield* sql.unsafe<Row>(viewer === undefined ? anonymousPage : viewerPage, [
          playlistId,
          count,
          start,
          viewer?.accountId ?? null,
          viewer?.userId ?? null
        ])
        return rows[0] ?? { total: 0, places: [] }
      }, withDatabaseErrors)

      const exist = Effect.fn("PlaylistElementReads.exist")(function* (
        accountId: number,
        videoIds: ReadonlyArray<number>
      ) {
        // Both sides of the index are given: a video may stand in the playlists of very many others.
        const rows = yield* sql<ExistRow>`
          select e.video_id as "videoId", e.id, p.id as "playlistId", p.name, p.uuid, e.start_timestamp as start,
            e.stop_timestamp as stop
          from video_playlist_element e join video_playlist p on p.id = e.playlist_id
          where e.video_id = any(${videoIds}::int[])
            and e.playlist_id = any(array(select o.id from video_playlist o where o.owner_account_id = ${accountId}))
          order by p.id, e.position`
        const found: Record<string, Array<unknown>> = Object.fromEntries(videoIds.map((id) => [id, []]))
        // One that is in many places has its short form made once.
        const short = new Map<string, string>()
        for (const { id, name, playlistId, start, stop, uuid, videoId } of rows) {
          const playlistShortUUID = short.get(uuid) ?? toShortUuid(uuid)
          short.set(uuid, playlistShortUUID)
          found[videoId]!.push({
            playlistElementId: id,
            playlistId,
            playlistDisplayName: name,
            playlistShortUUID,
            startTimestamp: start,
            stopTimestamp: stop
          })
        }
        return JSON.stringify(found)
      }, withDatabaseErrors)

      const hasWatched = Effect.fnUntraced(function* (userId: number, videoId: number) {
        const rows = yield* sql`select 1 from user_video_history where user_id = ${userId} and video_id = ${videoId}`
        return rows.length > 0
      }, withDatabaseErrors)

      return PlaylistElementReads.of({ page: read, exist, hasWatched })
    })
  )
}
