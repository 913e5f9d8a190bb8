import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** A video, for processing. */
export interface ProcessingVideo {
  readonly id: number
  readonly uuid: string
  readonly name: string
  readonly privacy: number
  readonly state: number
  readonly waitTranscoding: boolean
  /** Name in `original_video_files`. Null if there is no source (any more). */
  readonly sourceFilename: string | null
  /** False: it still shows renditions of its former source, and changes with the first renditions of this one. */
  readonly shown: boolean
  /** Whether it has anything to play. */
  readonly playable: boolean
  readonly storyboard: boolean
  /** Types of the thumbnails it has: 1 miniature, 2 preview. */
  readonly thumbnailTypes: ReadonlyArray<number>
  /** Those that a user chose: they stay, whatever the source is. */
  readonly chosenTypes: ReadonlyArray<number>
  /** Name of the large thumbnail, which is shown while audio plays. Null if there is none. */
  readonly previewFilename: string | null
}

/** A rendition as the input for others. */
export interface KeptFile {
  readonly filename: string
  readonly hls: boolean
  readonly resolution: number
  readonly hasAudio: boolean
  readonly hasVideo: boolean
}

/** Reads videos for the processing pipeline. Remote videos are not found. */
export class ProcessingVideos extends Context.Service<
  ProcessingVideos,
  {
    readonly find: (videoId: number) => Effect.Effect<Option.Option<ProcessingVideo>, DatabaseUnavailable>
    /** Renditions, best first: by resolution, then those with audio, then those that are self-contained. */
    readonly keptFiles: (videoId: number) => Effect.Effect<ReadonlyArray<KeptFile>, DatabaseUnavailable>
  }
>()("@kinora/storage/videos/writes/ProcessingVideos") {
  static readonly layer = Layer.effect(
    ProcessingVideos,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return ProcessingVideos.of({
        find: Effect.fn("ProcessingVideos.find")(function* (videoId: number) {
          const rows = yield* sql<ProcessingVideo>`
            select v.id, v.uuid, v.name, v.privacy, v.state, v.wait_transcoding as "waitTranscoding",
              (
                select s.filename from video_source s where s.video_id = v.id and s.filename is not null
                order by s.created_at desc limit 1
              ) as "sourceFilename",
              not exists (select 1 from video_source s where s.video_id = v.id and not s.shown) as shown,
              exists (select 1 from video_file f where f.video_id = v.id)
                or exists (select 1 from streaming_playlist p where p.video_id = v.id) as playable,
              exists (select 1 from storyboard b where b.video_id = v.id) as storyboard,
              array(select t.type::integer from thumbnail t where t.video_id = v.id order by t.type) as "thumbnailTypes",
              array(
                select t.type::integer from thumbnail t where t.video_id = v.id and not t.automatically_generated
              ) as "chosenTypes",
              (select t.filename from thumbnail t where t.video_id = v.id and t.type = 2 limit 1) as "previewFilename"
            from video v where v.id = ${videoId} and not v.remote
          `
          return Option.fromNullishOr(rows[0])
        }, withDatabaseErrors),
        keptFiles: Effect.fn("ProcessingVideos.keptFiles")(function* (videoId: number) {
          return yield* sql<KeptFile>`
            select f.filename, f.streaming_playlist_id is not null as hls, f.resolution, f.has_audio as "hasAudio",
              f.has_video as "hasVideo"
            from video_file f left join streaming_playlist p on p.id = f.streaming_playlist_id
            where (f.video_id = ${videoId} or p.video_id = ${videoId}) and f.filename is not null
            order by f.resolution desc, f.has_audio desc, hls, f.id
          `
        }, withDatabaseErrors)
      })
    })
  )
}
