import type { VideoSource } from "@kinora/domain/wire/VideoFile"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { resolutionConstant } from "./VideoFileJson.ts"

interface VideoSourceRow {
  readonly videoId: number
  readonly origin: string
  readonly inputFilename: string
  /** Null once the file is not kept. */
  readonly filename: string | null
  readonly resolution: number | null
  readonly size: number | null
  readonly fps: number | null
  readonly width: number | null
  readonly height: number | null
  readonly createdAt: string
  readonly metadata: (typeof VideoSource.Encoded)["metadata"] | null
}

const statement = `
  select distinct on (s.video_id) s.video_id as "videoId", o.origin, s.input_filename as "inputFilename", s.filename,
    s.resolution, s.size, to_json(s.fps) as fps, s.width, s.height, wire_time(s.created_at) as "createdAt", s.metadata
  from (select wire_origin() as origin) o, video_source s where s.video_id = any($1::int[])
  order by s.video_id, s.created_at desc`

const videoSource = (row: VideoSourceRow): typeof VideoSource.Encoded => ({
  inputFilename: row.inputFilename,
  fileDownloadUrl: row.filename === null ? null : `${row.origin}/download/original-video-files/${row.filename}`,
  createdAt: row.createdAt,
  ...(row.resolution === null ? {} : { resolution: resolutionConstant(row.resolution) }),
  ...(row.size === null ? {} : { size: row.size }),
  ...(row.fps === null ? {} : { fps: row.fps }),
  ...(row.width === null ? {} : { width: row.width }),
  ...(row.height === null ? {} : { height: row.height }),
  ...(row.metadata === null || row.metadata === undefined ? {} : { metadata: row.metadata })
})

/** The files these videos were made from, the latest of each, by video (contract: VideoSource). */
export const videoSources = (sql: SqlClient, videoIds: ReadonlyArray<number>) =>
  Effect.map(
    sql.unsafe<VideoSourceRow>(statement, [videoIds]),
    (rows): ReadonlyMap<number, typeof VideoSource.Encoded> =>
      new Map(rows.map((row) => [row.videoId, videoSource(row)]))
  )
