import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { finderOf, type Found, keyOf, named, rowsOf } from "./ObjectFound.ts"
import { AnnounceRow } from "./rows/ActivityRows.ts"
import {
  CacheFileRow,
  ChaptersRow,
  PlayerSettingsRow,
  selectChapters,
  selectPlayerSettings
} from "./rows/VideoPartRows.ts"
import { selectVideos, VideoRow } from "./rows/VideoRow.ts"

/** The text of a video's object if that is kept: JSON without its `@context`. */
const VideoText = Schema.Struct({ id: Schema.Int, text: Schema.NullOr(Schema.String) })
export type VideoText = typeof VideoText.Type

/** What the Create of a video says beside its object. */
const CreatedVideo = Schema.Struct({
  ...VideoText.fields,
  url: Schema.String,
  accountUrl: Schema.String,
  isPublic: Schema.Boolean
})
export type CreatedVideo = typeof CreatedVideo.Type

const StoredText = Schema.Struct({ text: Schema.String })

const target = (id: VideoIdOrUuid): string => `
  select v.id, not v.remote and video_is_dereferenced(v.id) as shown,
    case when v.remote and v.privacy in (1, 2) then v.url end as elsewhere
  from video v where ${named(id, "v")}`

// Other instances ask for this more often than for anything else: one row of two tables, and no join that it can do without.
const textStatement = (id: VideoIdOrUuid): string => `
  select v.id, not v.remote and video_is_dereferenced(v.id) as shown,
    case when v.remote and v.privacy in (1, 2) then v.url end as elsewhere, w.object as text
  from video v left join video_read_model w on w.video_id = v.id where ${named(id, "v")}`

const selectCreated = `
  select v.id, v.url, a.url as "accountUrl", v.privacy = 1 as "isPublic", w.object as text
  from video v join account o on o.id = v.account_id join actor a on a.id = o.actor_id
    left join video_read_model w on w.video_id = v.id
  where v.id = t.id`

const announceTarget = (id: VideoIdOrUuid): string => `
  select v.id, a.id as actor_id, a.server_id is null and v.privacy = 1 and video_is_dereferenced(v.id) as shown,
    (
      select s.url from video_share s where a.server_id is not null and s.video_id = v.id and s.actor_id = a.id
    ) as elsewhere
  from video v join video_channel c on c.id = v.channel_id, actor a
  where ${named(id, "v")} and a.id = $2
    and (a.id = c.actor_id or a.type = 'Application' or a.server_id is not null)`

const selectAnnounce = `
  select v.url as "videoUrl", w.url as "ownerUrl", a.id as "actorId", a.url as "actorUrl"
  from video v join account o on o.id = v.account_id join actor w on w.id = o.actor_id, actor a
  where v.id = t.id and a.id = t.actor_id`

const cacheFileTarget = (id: VideoIdOrUuid): string => `
  select r.id, true as shown, null::text as elsewhere
  from video v join video_redundancy r on r.video_id = v.id
  where ${named(id, "v")} and r.strategy is not null and v.privacy in (1, 2) order by r.id limit 1`

const selectCacheFile = `
  select r.url, v.url as "videoUrl", r.base_url as "baseUrl", r.expires_at as "expiresAt"
  from video_redundancy r join video v on v.id = r.video_id where r.id = t.id`

const watchActionTarget = `
  select id, true as shown, null::text as elsewhere
  from activity where uri = wire_origin() || '/videos/local-viewer/' || $1 || '/activity'`

const selectWatchAction = "select (body -> 'object')::text as text from activity where id = t.id"

/** Videos as other instances read them (contract: activitypub.json). `video_is_dereferenced` decides what is shown. */
export class VideoObjects extends Context.Service<
  VideoObjects,
  {
    readonly text: (id: VideoIdOrUuid) => Found<VideoText>
    readonly created: (id: VideoIdOrUuid) => Found<CreatedVideo>
    /** What the objects of videos of this instance are made of, in no order. */
    readonly rows: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<VideoRow>, DatabaseUnavailable>
    readonly chapters: (id: VideoIdOrUuid) => Found<ChaptersRow>
    readonly playerSettings: (id: VideoIdOrUuid) => Found<PlayerSettingsRow>
    /** That the video's channel or the instance announces the video, by the row id of the actor. */
    readonly announce: (id: VideoIdOrUuid, actorId: number) => Found<AnnounceRow>
    /** The copy that this instance keeps of a video. */
    readonly cacheFile: (id: VideoIdOrUuid) => Found<CacheFileRow>
    /** What another instance was sent of somebody here who watched its video, while the activity is kept. */
    readonly watchAction: (uuid: string) => Found<{ readonly text: string }>
  }
>()("@kinora/storage/activitypub/VideoObjects") {
  static readonly layer = Layer.effect(
    VideoObjects,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const creations = finderOf(sql, CreatedVideo)
      const videos = rowsOf(sql, VideoRow)
      const chapters = finderOf(sql, ChaptersRow)
      const settings = finderOf(sql, PlayerSettingsRow)
      const announces = finderOf(sql, AnnounceRow)
      const copies = finderOf(sql, CacheFileRow)
      const stored = finderOf(sql, StoredText)
      const byIds = selectVideos("v.id = any($1::integer[])")

      return VideoObjects.of({
        text: (id) =>
          withDatabaseErrors(
            Effect.map(
              sql.unsafe<VideoText & { readonly shown: boolean; readonly elsewhere: string | null }>(
                textStatement(id),
                [keyOf(id)]
              ),
              ([row]) =>
                row === undefined
                  ? Option.none()
                  : Option.some({ row: row.shown ? row : null, elsewhere: row.elsewhere })
            )
          ),
        created: (id) => creations({ target: target(id), rows: selectCreated }, [keyOf(id)]),
        rows: (ids) => videos(byIds, [ids]),
        chapters: (id) => chapters({ target: target(id), rows: selectChapters("v.id = t.id") }, [keyOf(id)]),
        playerSettings: (id) =>
          settings({ target: target(id), rows: selectPlayerSettings("v.id = t.id") }, [keyOf(id)]),
        announce: (id, actorId) =>
          announces({ target: announceTarget(id), rows: selectAnnounce }, [keyOf(id), actorId]),
        cacheFile: (id) => copies({ target: cacheFileTarget(id), rows: selectCacheFile }, [keyOf(id)]),
        watchAction: (uuid) => stored({ target: watchActionTarget, rows: selectWatchAction }, [uuid])
      })
    })
  )
}
