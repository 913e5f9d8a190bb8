import { ChannelActivityAction } from "@kinora/domain/enums/ChannelActivity"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { recordVideoActivity } from "../../people/collaborator/VideoActivities.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { endGrace, type ObjectName, removeLater } from "../../platform/objects/ObjectIntents.ts"
import { filesOf, lockVideo, objectsOf, playlistObjects, type VideoRow } from "./VideoFiles.ts"

/** Result of a request to delete files. `last`: refused, since the video would have nothing to play. */
export type FilesRemoval = "removed" | "missing" | "last"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const looseObjects = (videoId: number) =>
    sql<ObjectName>`
      select 'original_video_files' as bucket, filename as name
        from video_source where video_id = ${videoId} and filename is not null
      union all select 'thumbnails', filename from thumbnail where video_id = ${videoId} and remote_url is null
      union all select 'storyboards', filename from storyboard where video_id = ${videoId} and remote_url is null
      union all select 'captions', filename from video_caption where video_id = ${videoId} and remote_url is null
    `

  /** Uploads go with their video. Who publishes an upload or removes a user locks them before the account. */
  const holdUploads = (videoId: number) => sql`
    select 1 from upload_session where video_id = ${videoId} or result_video_id = ${videoId} order by id for update`

  const video = Effect.fn("VideoDeletion.video")(
    function* (videoId: number, accountId: number | null = null) {
      yield* holdUploads(videoId)
      const row = yield* lockVideo(sql, videoId)
      if (row === undefined) return false
      yield* recordVideoActivity(sql, { videoId, accountId, action: ChannelActivityAction.delete })
      const files = yield* filesOf(sql, videoId)
      yield* removeLater(
        sql,
        [
          ...files.flatMap((file) => objectsOf(row, file)),
          ...(yield* playlistObjects(sql, row)),
          // The whole folder: it also contains replaced renditions, kept for players that have no video any more.
          { bucket: "streaming_playlists", name: row.uuid },
          { bucket: "streaming_playlists_private", name: row.uuid },
          ...(yield* looseObjects(videoId))
        ],
        0
      )
      yield* sql`delete from video where id = ${videoId}`
      return true
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const changed = (row: VideoRow) => sql`update video set updated_at = now() where id = ${row.id}`

  const playlist = Effect.fn("VideoDeletion.playlist")(
    function* (videoId: number) {
      const row = yield* lockVideo(sql, videoId)
      if (row === undefined) return "missing"
      const files = yield* filesOf(sql, videoId)
      const playlists = yield* sql`select 1 from streaming_playlist where video_id = ${videoId}`
      if (playlists.length === 0) return "missing"
      if (files.every((file) => file.hls)) return "last"
      const gone = files.filter((file) => file.hls).flatMap((file) => objectsOf(row, file))
      yield* removeLater(sql, [...gone, ...(yield* playlistObjects(sql, row))], 0)
      yield* endGrace(sql, row.uuid)
      yield* sql`delete from streaming_playlist where video_id = ${videoId}`
      yield* changed(row)
      return "removed"
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const webVideos = Effect.fn("VideoDeletion.webVideos")(
    function* (videoId: number, fileId: number | null) {
      const row = yield* lockVideo(sql, videoId)
      if (row === undefined) return "missing"
      const files = yield* filesOf(sql, videoId)
      const gone = files.filter((file) => !file.hls && (fileId === null || file.id === fileId))
      if (gone.length === 0) return "missing"
      if (gone.length === files.length) return "last"
      yield* removeLater(
        sql,
        gone.flatMap((file) => objectsOf(row, file)),
        0
      )
      for (const file of gone) yield* sql`delete from video_file where id = ${file.id}`
      yield* changed(row)
      return "removed"
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  return VideoDeletion.of({ video, playlist, webVideos })
})

/** Deletes videos and renditions. Their objects are queued for removal in the same transaction. */
export class VideoDeletion extends Context.Service<
  VideoDeletion,
  {
    /**
     * False if there is no such local video. Everything that belongs to the video is deleted with it. `accountId` is
     * the account that deletes it, for the channel's activity log.
     */
    readonly video: (videoId: number, accountId?: number | null) => Effect.Effect<boolean, DatabaseUnavailable>
    readonly playlist: (videoId: number) => Effect.Effect<FilesRemoval, DatabaseUnavailable>
    /** One web video, or all of them if `fileId` is null. */
    readonly webVideos: (videoId: number, fileId: number | null) => Effect.Effect<FilesRemoval, DatabaseUnavailable>
  }
>()("@kinora/storage/videos/writes/VideoDeletion") {
  static readonly layer = Layer.effect(VideoDeletion, make)
}
