import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { isValidKey, type ObjectKey } from "../../platform/objects/ObjectKey.ts"
import { playlistsBucket, webVideosBucket } from "../write/NewRenditions.ts"
import { readRemoteTorrentName } from "../access/RemoteTorrents.ts"

/** A file in the object store. */
export interface StoredPlace {
  readonly _tag: "Stored"
  readonly key: ObjectKey
}

/** A file of another instance: its address there, and its size as that instance said. */
export interface RemotePlace {
  readonly _tag: "Remote"
  readonly url: string
  readonly size: number
}

/** A file of a video, with the data for its download. */
export interface DownloadableFile {
  readonly id: number
  /** Title of the video. */
  readonly videoName: string
  readonly kind: "web-video" | "hls"
  readonly resolution: number
  /** Extension of its name, with the dot. */
  readonly extension: string
  readonly hasVideo: boolean
  readonly hasAudio: boolean
  readonly place: StoredPlace | RemotePlace
}

/** A single file: its video and the data for its download. */
export interface NamedFile {
  readonly uuid: string
  readonly videoName: string
  /** Resolution of the rendition. Null for the source file. */
  readonly resolution: number | null
}

interface FileRow extends Omit<DownloadableFile, "place"> {
  readonly uuid: string
  readonly privacy: number
  /** Null for files of other instances. */
  readonly filename: string | null
  readonly url: string | null
  readonly size: number
}

const keyOf = (row: FileRow, filename: string): ObjectKey =>
  row.kind === "hls"
    ? { bucket: playlistsBucket(row.privacy), name: `${row.uuid}/${filename}` }
    : { bucket: webVideosBucket(row.privacy), name: filename }

const placeOf = (row: FileRow): DownloadableFile["place"] | undefined => {
  if (row.url !== null) return { _tag: "Remote", url: row.url, size: row.size }
  const key = keyOf(row, row.filename ?? "")
  return isValidKey(key) ? { _tag: "Stored", key } : undefined
}

/** Downloadable files. */
export class DownloadRows extends Context.Service<
  DownloadRows,
  {
    /** Every file of a video. Of similar ones the highest frame rate comes first. */
    readonly filesOf: (videoId: number) => Effect.Effect<ReadonlyArray<DownloadableFile>, DatabaseUnavailable>
    readonly torrent: (filename: string) => Effect.Effect<Option.Option<NamedFile>, DatabaseUnavailable>
    readonly source: (filename: string) => Effect.Effect<Option.Option<NamedFile>, DatabaseUnavailable>
  }
>()("@kinora/storage/downloads/DownloadRows") {
  static readonly layer = Layer.effect(
    DownloadRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const filesOf = (videoId: number) =>
        withDatabaseErrors(
          Effect.map(
            sql<FileRow>`
              select f.id, v.name as "videoName", v.uuid, v.privacy, f.filename, f.file_url as url, f.size, f.resolution,
                '.' || ltrim(f.extname, '.') as extension, f.has_video as "hasVideo", f.has_audio as "hasAudio",
                case when f.video_id is null then 'hls' else 'web-video' end as kind
              from video v left join streaming_playlist p on p.video_id = v.id
                join video_file f on f.video_id = v.id or f.streaming_playlist_id = p.id
              where v.id = ${videoId} and coalesce(f.filename, f.file_url) is not null
              order by f.fps desc, f.id`,
            (rows) =>
              rows.flatMap((row): ReadonlyArray<DownloadableFile> => {
                const place = placeOf(row)
                const { extension, hasAudio, hasVideo, id, kind, resolution, videoName } = row
                return place === undefined
                  ? []
                  : [{ id, videoName, kind, resolution, extension, hasVideo, hasAudio, place }]
              })
          )
        )

      const first = (rows: ReadonlyArray<NamedFile>) => Option.fromUndefinedOr(rows[0])

      const torrent = (filename: string) => {
        const copied = readRemoteTorrentName(filename)
        const condition =
          copied === undefined
            ? sql`f.torrent_filename = ${filename}`
            : sql`f.id = ${copied.id} and f.info_hash = ${copied.infoHash} and f.torrent_url is not null`
        return withDatabaseErrors(
          Effect.map(
            sql<NamedFile>`
              select v.uuid, v.name as "videoName", f.resolution
              from video_file f left join streaming_playlist p on p.id = f.streaming_playlist_id
                join video v on v.id = coalesce(f.video_id, p.video_id)
              where ${condition}`,
            first
          )
        )
      }

      const source = (filename: string) =>
        withDatabaseErrors(
          Effect.map(
            sql<NamedFile>`
              select v.uuid, v.name as "videoName", null as resolution
              from video_source s join video v on v.id = s.video_id where s.filename = ${filename}`,
            first
          )
        )

      return DownloadRows.of({ filesOf, torrent, source })
    })
  )
}
