import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import { type Json, toJson } from "@kinora/domain/wire/Json"
import type { VideosExistInPlaylists } from "@kinora/domain/wire/VideoPlaylist"
import type { Video } from "@kinora/domain/wire/Video"
import type { VideoUuid } from "@kinora/domain/ids/VideoUuid"
import type { NamedVideo } from "@kinora/domain/requests/PlaylistQueries"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import type { VideoFacts } from "../../video/access/VideoFacts.ts"
import { makeShownVideos, type ShownVideo, shownVideo } from "../../video/read/ShownVideos.ts"
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
  /** Neither the instance nor the reader follows where the video is from. */
  readonly unfollowed: boolean
  /** The video as a list shows it (contract: Video), as JSON text. */
  readonly summary: Json<Video> | null
}

export interface PlaylistPlaces {
  readonly total: number
  readonly places: ReadonlyArray<PlaylistPlace>
}

interface Row {
  readonly total: number
  readonly places: ReadonlyArray<Omit<PlaylistPlace, "summary"> & { readonly shown: ShownVideo | null }>
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

const subscribed = `exists (
  select from account m join actor_follow f on f.actor_id = m.actor_id and f.state = 'accepted'
    join video_channel c on c.actor_id = f.target_actor_id
  where m.id = $4::int and c.id = v.channel_id)`

/** Names the user even where nobody is logged in: each value has its place in the text. */
const currentTime = (viewer: boolean): string =>
  viewer
    ? "(select h.current_time_seconds from user_video_history h where h.user_id = $5::int and h.video_id = shown.id)"
    : "$5::int"

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
      'unfollowed', v.id is not null and v.remote
        and not video_has_followers(v.id, v.channel_id, v.account_id)${viewer ? ` and not ${subscribed}` : ""},
      'shown', (select row_to_json(x) from (select shown.*, ${currentTime(viewer)} as "currentTime"
        from (select v.id where v.id is not null) i ${shownVideo("i.id")}) x)
    ) order by e.position)
    from (
      select * from video_playlist_element where playlist_id = p.id order by position limit $2::int offset $3::int
    ) e left join video v on v.id = e.video_id
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
     * video is there by the name it was asked for with, if only with an empty list.
     */
    readonly exist: (
      accountId: number,
      videos: ReadonlyArray<NamedVideo>
    ) => Effect.Effect<Json<VideosExistInPlaylists>, DatabaseUnavailable>
    /** Whether the video stands in the user's history. */
    readonly hasWatched: (userId: number, videoId: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/playlists/PlaylistElementReads") {
  static readonly layer = Layer.effect(
    PlaylistElementReads,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const summaries = yield* makeShownVideos(sql, yield* Effect.scope)

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
        const { places, total } = rows[0] ?? { total: 0, places: [] }
        const videos = places.flatMap((place) => (place.shown === null ? [] : [place.shown]))
        const texts = yield* summaries(videos)
        // The same video may stand in several places: what is shown of it is the same.
        const byId = new Map(videos.map(({ id }, n) => [id, texts[n]]))
        return {
          total,
          places: places.map(({ shown, ...place }) => ({
            ...place,
            summary: shown === null ? null : (byId.get(shown.id) ?? null)
          }))
        }
      }, withDatabaseErrors)

      const exist = Effect.fn("PlaylistElementReads.exist")(function* (
        accountId: number,
        videos: ReadonlyArray<NamedVideo>
      ) {
        const uuids = videos.flatMap(({ video }) => (video._tag === "Uuid" ? [video.uuid] : []))
        const known =
          uuids.length === 0
            ? []
            : yield* sql<{ id: number; uuid: VideoUuid }>`select id, uuid from video where uuid = any(${uuids}::uuid[])`
        const ids = new Map(known.map(({ id, uuid }) => [uuid, id]))
        const asked = videos.map(({ name, video }) => ({
          name,
          id: video._tag === "Id" ? video.id : ids.get(video.uuid)
        }))
        // Both sides of the index are given: a video may stand in the playlists of very many others.
        const rows = yield* sql<ExistRow>`
          select e.video_id as "videoId", e.id, p.id as "playlistId", p.name, p.uuid, e.start_timestamp as start,
            e.stop_timestamp as stop
          from video_playlist_element e join video_playlist p on p.id = e.playlist_id
          where e.video_id = any(${asked.flatMap(({ id }) => id ?? [])}::int[])
            and e.playlist_id = any(array(select o.id from video_playlist o where o.owner_account_id = ${accountId}))
          order by p.id, e.position`
        const places = new Map<number, Array<VideosExistInPlaylists[string][number]>>()
        // One that is in many places has its short form made once.
        const short = new Map<string, string>()
        for (const { id, name, playlistId, start, stop, uuid, videoId } of rows) {
          const playlistShortUUID = short.get(uuid) ?? toShortUuid(uuid)
          short.set(uuid, playlistShortUUID)
          const ofVideo = places.get(videoId) ?? []
          places.set(videoId, ofVideo)
          ofVideo.push({
            playlistElementId: id,
            playlistId,
            playlistDisplayName: name,
            playlistShortUUID,
            startTimestamp: start,
            stopTimestamp: stop
          })
        }
        return toJson<VideosExistInPlaylists>(
          Object.fromEntries(asked.map(({ id, name }) => [name, (id === undefined ? undefined : places.get(id)) ?? []]))
        )
      }, withDatabaseErrors)

      const hasWatched = Effect.fnUntraced(function* (userId: number, videoId: number) {
        const rows = yield* sql`select 1 from user_video_history where user_id = ${userId} and video_id = ${videoId}`
        return rows.length > 0
      }, withDatabaseErrors)

      return PlaylistElementReads.of({ page: read, exist, hasWatched })
    })
  )
}
