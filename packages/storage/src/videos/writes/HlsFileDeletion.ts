import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"
import { rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { withDatabaseErrors } from "../../database/Database.ts"
import { ObjectStore } from "../../objects/ObjectStore.ts"
import { playlistsBucket } from "./NewRenditions.ts"
import { hlsName, keepObjects, removeLater } from "./Removals.ts"
import type { FilesRemoval } from "./VideoDeletion.ts"
import { filesOf, lockVideo, objectsOf, type VideoRow } from "./VideoFiles.ts"

/** The master playlist without the variant of this media playlist (RFC 8216, 4.3.4.2): its two lines go. */
export const withoutVariant = (master: string, playlist: string): string => {
  const lines = master.split("\n")
  const at = lines.indexOf(playlist)
  return at < 1 ? master : [...lines.slice(0, at - 1), ...lines.slice(at + 1)].join("\n")
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const objects = yield* ObjectStore

  const readMaster = Effect.fnUntraced(function* (video: VideoRow, name: string) {
    const parts = yield* Stream.runCollect(
      objects.openRead({ bucket: playlistsBucket(video.privacy), name: hlsName(video.uuid, name) })
    ).pipe(Effect.orDie)
    return Buffer.concat(parts).toString("utf8")
  })

  /** Playlists are never changed once they are there: the shorter one gets a name of its own. */
  const storeMaster = Effect.fnUntraced(function* (video: VideoRow, text: string) {
    const filename = `${randomUUID()}-master.m3u8`
    const draft = join(tmpdir(), filename)
    const key = { bucket: playlistsBucket(video.privacy), name: hlsName(video.uuid, filename) }
    yield* removeLater(sql, [key], 3600)
    yield* Effect.promise(() => writeFile(draft, text))
    yield* objects.put(key, draft).pipe(Effect.ensuring(Effect.promise(() => rm(draft, { force: true }))))
    yield* keepObjects(sql, [key])
    return filename
  })

  const remove = Effect.fn("HlsFileDeletion.remove")(
    function* (videoId: number, fileId: number): Effect.fn.Return<FilesRemoval, InsufficientStorage | SqlError> {
      const video = yield* lockVideo(sql, videoId)
      if (video === undefined) return "missing"
      const files = yield* filesOf(sql, videoId)
      const file = files.find((one) => one.hls && one.id === fileId)
      if (file === undefined) return "missing"
      const [playlist] = yield* sql<{ id: number; master: string | null }>`
        select id, playlist_filename as master from streaming_playlist where video_id = ${videoId}
      `
      // Sound that stands alone belongs to all variants, and the last variant is the playlist.
      if (playlist!.master === null || file.playlistFilename === null) return "last"
      const before = yield* readMaster(video, playlist!.master)
      const after = withoutVariant(before, file.playlistFilename)
      if (after === before || !after.includes("#EXT-X-STREAM-INF")) return "last"
      const master = yield* storeMaster(video, after)
      const old = { bucket: playlistsBucket(video.privacy), name: hlsName(video.uuid, playlist!.master) }
      yield* removeLater(sql, [...objectsOf(video, file), old], 0)
      yield* sql`delete from video_file where id = ${fileId}`
      yield* sql`update streaming_playlist set playlist_filename = ${master}, updated_at = now() where id = ${playlist!.id}`
      yield* sql`update video set wire_summary = null, updated_at = now() where id = ${videoId}`
      return "removed"
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  return HlsFileDeletion.of({ remove })
})

/** Deletes one rendition of a streaming playlist, which goes on with the others. */
export class HlsFileDeletion extends Context.Service<
  HlsFileDeletion,
  {
    readonly remove: (
      videoId: number,
      fileId: number
    ) => Effect.Effect<FilesRemoval, InsufficientStorage | DatabaseUnavailable>
  }
>()("@kinora/storage/videos/writes/HlsFileDeletion") {
  static readonly layer = Layer.effect(HlsFileDeletion, make)
}
