import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Bucket } from "../../platform/objects/ObjectKey.ts"
import { renditionPlaylist } from "./steps/VideoFileSteps.ts"
import type { Catalogue, SourceDatabase } from "./SourceDatabase.ts"

/** A file of the old instance, and where it goes. */
export interface SourceFile {
  readonly kind: string
  /** Row that names it. */
  readonly id: number
  readonly bucket: Bucket
  /** Name in the bucket. */
  readonly name: string
  /** Folders that may have it, below the storage folder of the old instance; `previews/private`, for example. */
  readonly folders: ReadonlyArray<string>
  readonly filename: string
  /** Bytes, if the old database has them. */
  readonly size: number | null
  /** SHA-1 of the torrent of the file, in hexadecimal. */
  readonly infoHash: string | null
  /** Address of a file in an object store. */
  readonly url: string | null
}

interface Kind {
  readonly kind: string
  readonly table: string
  readonly tables: ReadonlyArray<string>
  readonly bucket: string
  /** SQL: name in the bucket, folders, file name, size, digest, address. */
  readonly columns: readonly [string, string, string, string, string, string]
  /** SQL: tables, the row is `f`. */
  readonly from: string
}

/** SQL: a column that the table may lack. */
const may = (alias: string, column: string, type = "text"): string => `(to_jsonb(${alias}) ->> '${column}')::${type}`

const isStored = (alias: string) => `coalesce(${may(alias, "storage", "integer")}, 0) = 1`
const inBucket = (alias: string, url: string) => `case when ${isStored(alias)} then ${url} end`
const privacy = `case when v.privacy > 2 then '_private' else '' end`

const webFolders = `array['web-videos', 'web-videos/private', 'videos', 'videos/private']`
const hlsFolders = `array['streaming-playlists/hls/' || v.uuid, 'streaming-playlists/hls/private/' || v.uuid]`

const ofHls = `from public."videoFile" f join public."videoStreamingPlaylist" p on p.id = f."videoStreamingPlaylistId"
  join public.video v on v.id = p."videoId" where not v.remote`
const ofPlaylist = `from public."videoStreamingPlaylist" f join public.video v on v.id = f."videoId" where not v.remote`
/** SQL: the address of what lies beside a file in an object store. */
const beside = (url: string, filename: string) => `regexp_replace(${url}, '[^/]*$', ${filename})`

const hlsTables = ["videoFile", "videoStreamingPlaylist", "video"]
const rendition = renditionPlaylist("f.filename")

const kinds: ReadonlyArray<Kind> = [
  {
    ...{ kind: "web video", table: "videoFile", tables: ["videoFile", "video"], bucket: `'web_videos' || ${privacy}` },
    columns: ["f.filename", webFolders, "f.filename", "f.size", "null", inBucket("f", 'f."fileUrl"')],
    from: `from public."videoFile" f join public.video v on v.id = f."videoId" where not v.remote and f."videoStreamingPlaylistId" is null`
  },
  {
    ...{ kind: "hls file", table: "videoFile", tables: hlsTables, bucket: `'streaming_playlists' || ${privacy}` },
    columns: ["v.uuid || '/' || f.filename", hlsFolders, "f.filename", "f.size", "null", inBucket("f", 'f."fileUrl"')],
    from: ofHls
  },
  {
    ...{ kind: "hls rendition", table: "videoFile", tables: hlsTables, bucket: `'streaming_playlists' || ${privacy}` },
    columns: [
      `v.uuid || '/' || ${rendition}`,
      hlsFolders,
      rendition,
      "null",
      "null",
      inBucket("f", beside('f."fileUrl"', rendition))
    ],
    from: `${ofHls} and ${rendition} is not null`
  },
  {
    ...{ kind: "hls playlist", table: "videoStreamingPlaylist", tables: ["videoStreamingPlaylist", "video"] },
    bucket: `'streaming_playlists' || ${privacy}`,
    columns: [
      `v.uuid || '/' || f."playlistFilename"`,
      hlsFolders,
      'f."playlistFilename"',
      "null",
      "null",
      inBucket("f", may("f", "playlistUrl"))
    ],
    from: ofPlaylist
  },
  {
    ...{ kind: "hls segments", table: "videoStreamingPlaylist", tables: ["videoStreamingPlaylist", "video"] },
    bucket: `'streaming_playlists' || ${privacy}`,
    columns: [
      `v.uuid || '/' || ${may("f", "segmentsSha256Filename")}`,
      hlsFolders,
      may("f", "segmentsSha256Filename"),
      "null",
      "null",
      inBucket("f", may("f", "segmentsSha256Url"))
    ],
    from: `${ofPlaylist} and ${may("f", "segmentsSha256Filename")} is not null`
  },
  {
    ...{ kind: "torrent", table: "videoFile", tables: hlsTables, bucket: "'torrents'" },
    columns: [
      may("f", "torrentFilename"),
      "array['torrents']",
      may("f", "torrentFilename"),
      "null",
      may("f", "infoHash"),
      "null"
    ],
    from: `from public."videoFile" f left join public."videoStreamingPlaylist" p on p.id = f."videoStreamingPlaylistId"
      join public.video v on v.id = coalesce(p."videoId", f."videoId")
      where not v.remote and ${may("f", "torrentFilename")} is not null`
  },
  {
    ...{ kind: "thumbnail", table: "thumbnail", tables: ["thumbnail", "video"], bucket: "'thumbnails'" },
    columns: ["f.filename", "array['thumbnails', 'previews']", "f.filename", "null", "null", "null"],
    from: `from public.thumbnail f join public.video v on v.id = f."videoId" where not v.remote`
  },
  {
    ...{ kind: "playlist picture", table: "thumbnail", tables: ["thumbnail", "videoPlaylist", "account", "actor"] },
    bucket: "'thumbnails'",
    columns: ["f.filename", "array['thumbnails']", "f.filename", "null", "null", "null"],
    from: `from public.thumbnail f join public."videoPlaylist" p on p.id = f."videoPlaylistId"
      join public.account o on o.id = p."ownerAccountId" join public.actor a on a.id = o."actorId"
      where a."serverId" is null and coalesce(${may("f", "automaticallyGenerated", "boolean")}, false) is false`
  },
  {
    ...{ kind: "storyboard", table: "storyboard", tables: ["storyboard", "video"], bucket: "'storyboards'" },
    columns: ["f.filename", "array['storyboards']", "f.filename", "null", "null", "null"],
    from: `from public.storyboard f join public.video v on v.id = f."videoId" where not v.remote`
  },
  {
    ...{ kind: "caption", table: "videoCaption", tables: ["videoCaption", "video"], bucket: "'captions'" },
    columns: ["f.filename", "array['captions']", "f.filename", "null", "null", inBucket("f", may("f", "fileUrl"))],
    from: `from public."videoCaption" f join public.video v on v.id = f."videoId" where not v.remote`
  },
  {
    ...{ kind: "picture", table: "actorImage", tables: ["actorImage", "actor"], bucket: "'avatars'" },
    columns: ["f.filename", "array['avatars', 'banners']", "f.filename", "null", "null", "null"],
    from: `from public."actorImage" f join public.actor a on a.id = f."actorId" where a."serverId" is null`
  },
  {
    ...{ kind: "original", table: "videoSource", tables: ["videoSource", "video"], bucket: "'original_video_files'" },
    columns: [
      may("f", "keptOriginalFilename"),
      "array['original-video-files']",
      may("f", "keptOriginalFilename"),
      may("f", "size", "bigint"),
      "null",
      inBucket("f", may("f", "fileUrl"))
    ],
    from: `from public."videoSource" f join public.video v on v.id = f."videoId"
      where not v.remote and ${may("f", "keptOriginalFilename")} is not null`
  }
]

const pageSize = 1000

const has = (catalogue: Catalogue, { tables }: Kind) => tables.every((table) => catalogue.has(table))

/** Calls `onFiles` with all files that the old database names, a page at a time. */
export const eachSourceFile = Effect.fn("SourceFiles.each")(function* <E, R>(
  source: SourceDatabase,
  onFiles: (files: ReadonlyArray<SourceFile>) => Effect.Effect<void, E, R>
) {
  for (const kind of kinds.filter((one) => has(source.catalogue, one))) {
    const [name, folders, filename, size, infoHash, url] = kind.columns
    for (let last = 0; ;) {
      const files = yield* source.query<SourceFile>(
        `select '${kind.kind}' as kind, f.id::int as id, ${kind.bucket} as bucket, (${name})::text as name,
           (${folders})::text[] as folders, (${filename})::text as filename, (${size})::bigint as size,
           (${infoHash})::text as "infoHash", (${url})::text as url
         ${kind.from} and f.id > $1::int order by f.id limit ${pageSize}`,
        [last]
      )
      if (files.length > 0) yield* onFiles(files)
      if (files.length < pageSize) break
      last = files.at(-1)!.id
    }
  }
})

/** A file that is in its place. */
export interface PlacedFile {
  readonly bucket: Bucket
  readonly name: string
  readonly size: number
  readonly sha256: string
}

/** Notes that files are in their places. */
export const notePlaced = Effect.fn("SourceFiles.notePlaced")(function* (file: PlacedFile) {
  const sql = yield* SqlClient
  yield* sql`
    insert into moving_in_file (bucket, name, size, sha256) values (${file.bucket}, ${file.name}, ${file.size}, ${file.sha256})
    on conflict (bucket, name) do update set size = excluded.size, sha256 = excluded.sha256`
})

/** A file is not in its place after all. */
export const forgetPlaced = Effect.fn("SourceFiles.forgetPlaced")(function* ({ bucket, name }: PlacedFile) {
  const sql = yield* SqlClient
  yield* sql`delete from moving_in_file where bucket = ${bucket} and name = ${name}`
})

/** Those of these names that are in their places already. */
export const placedOf = Effect.fn("SourceFiles.placedOf")(function* (names: ReadonlyArray<string>) {
  const sql = yield* SqlClient
  const rows = yield* sql<PlacedFile>`
    select bucket, name, size, sha256 from moving_in_file where name = any(${names}::text[])`
  return new Map(rows.map((row) => [`${row.bucket}/${row.name}`, row] as const))
})

/** All files that were placed, after a key, in the order of their keys. */
export const placedAfter = Effect.fn("SourceFiles.placedAfter")(function* (bucket: string, name: string) {
  const sql = yield* SqlClient
  return yield* sql<PlacedFile>`
    select bucket, name, size, sha256 from moving_in_file where (bucket, name) > (${bucket}::text, ${name}::text)
    order by bucket, name limit ${pageSize}`
})
