import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import type { Around } from "../../platform/audit/Around.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { putBytes, readObject } from "../../platform/objects/ObjectBytes.ts"
import { ObjectStore } from "../../platform/objects/ObjectStore.ts"
import { again, FilesChanged, usingNewObjects } from "./NewObjects.ts"
import { isPrivate, playlistsBucket } from "./NewRenditions.ts"
import { hlsName, keepObjects, removeLater } from "../../platform/objects/ObjectIntents.ts"
import type { FilesRemoval } from "./VideoDeletion.ts"
import {
  type FileRow,
  filesOf,
  findVideo,
  lockVideo,
  objectsOf,
  type PlaylistRow,
  playlistsOf,
  type VideoRow
} from "./VideoFiles.ts"

/** `only`: it is the only variant of its playlist, which would become empty. */
export type HlsRemoval = FilesRemoval | "only"

interface FilesNow {
  readonly files: ReadonlyArray<FileRow>
  readonly playlists: ReadonlyArray<PlaylistRow>
}

/** The master playlist without the two lines of the variant with this media playlist (RFC 8216, 4.3.4.2). */
const withoutVariant = (master: string, playlist: string): string => {
  const lines = master.split("\n")
  const at = lines.indexOf(playlist)
  return at < 1 ? master : [...lines.slice(0, at - 1), ...lines.slice(at + 1)].join("\n")
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const objects = yield* ObjectStore

  const filesNow = (videoId: number) =>
    Effect.all({ files: filesOf(sql, videoId), playlists: playlistsOf(sql, videoId) })

  /** Removes the rendition and stores the new master, if the video has not changed since it was read. */
  const commit = Effect.fnUntraced(
    function* (seen: VideoRow, before: FilesNow, file: FileRow, filename: string) {
      const video = yield* lockVideo(sql, seen.id)
      const same =
        video !== undefined &&
        isPrivate(video.privacy) === isPrivate(seen.privacy) &&
        JSON.stringify(yield* filesNow(seen.id)) === JSON.stringify(before)
      if (!same) return yield* new FilesChanged({ videoId: seen.id })
      const [playlist] = before.playlists
      const bucket = playlistsBucket(video.privacy)
      const old = { bucket, name: hlsName(video.uuid, playlist?.master ?? "") }
      yield* removeLater(sql, [...objectsOf(video, file), old], 0)
      yield* keepObjects(sql, [{ bucket, name: hlsName(video.uuid, filename) }])
      yield* sql`delete from video_file where id = ${file.id}`
      yield* sql`
        update streaming_playlist set playlist_filename = ${filename}, updated_at = now() where video_id = ${video.id}
      `
      yield* sql`update video set updated_at = now() where id = ${video.id}`
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const attempt = Effect.fnUntraced(function* (videoId: number, fileId: number, around: Around) {
    const video = yield* withDatabaseErrors(findVideo(sql, videoId))
    if (video === undefined) return "missing"
    const seen = yield* withDatabaseErrors(filesNow(videoId))
    const file = seen.files.find((one) => one.hls && one.id === fileId)
    if (file === undefined) return "missing"
    const master = seen.playlists[0]?.master ?? null
    // Separate audio belongs to all variants, and the last variant is the playlist itself.
    if (master === null || file.playlistFilename === null) return "last"
    const bucket = playlistsBucket(video.privacy)
    const before = yield* readObject(objects, { bucket, name: hlsName(video.uuid, master) }).pipe(
      Effect.mapError(() => new FilesChanged({ videoId }))
    )
    const after = withoutVariant(before.toString("utf8"), file.playlistFilename)
    if (after === before.toString("utf8")) return "last"
    if (!after.includes("#EXT-X-STREAM-INF")) return "only"
    // Existing playlists are never changed: the shorter one gets a new name.
    const filename = `${randomUUID()}-master.m3u8`
    const key = { bucket, name: hlsName(video.uuid, filename) }
    yield* usingNewObjects(
      sql,
      [key],
      Effect.andThen(putBytes(objects, key, after), around(commit(video, seen, file, filename)))
    )
    return "removed"
  })

  const remove = Effect.fn("HlsFileDeletion.remove")(
    (
      videoId: number,
      fileId: number,
      around: Around = (work) => work
    ): Effect.Effect<HlsRemoval, InsufficientStorage | DatabaseUnavailable> => again(attempt(videoId, fileId, around))
  )

  return HlsFileDeletion.of({ remove })
})

/** Deletes one rendition of an HLS playlist, which keeps the others. */
export class HlsFileDeletion extends Context.Service<
  HlsFileDeletion,
  {
    /** `around` adds to the transaction that removes it. */
    readonly remove: (
      videoId: number,
      fileId: number,
      around?: Around
    ) => Effect.Effect<HlsRemoval, InsufficientStorage | DatabaseUnavailable>
  }
>()("@kinora/storage/videos/writes/HlsFileDeletion") {
  static readonly layer = Layer.effect(HlsFileDeletion, make)
}
