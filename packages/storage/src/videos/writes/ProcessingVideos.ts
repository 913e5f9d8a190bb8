import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../database/Database.ts"

/** A video as processing needs it. */
export interface ProcessingVideo {
  readonly id: number
  readonly uuid: string
  readonly name: string
  readonly privacy: number
  readonly state: number
  readonly waitTranscoding: boolean
  /** Name in `original_video_files`; null when there is no source (any more). */
  readonly sourceFilename: string | null
  /** Types of the pictures it has: 1 miniature, 2 preview. */
  readonly thumbnailTypes: ReadonlyArray<number>
  /** Name of the large picture, which stands still while a sound plays; null when there is none. */
  readonly previewFilename: string | null
}

/** Reads videos for the processing pipeline. Remote videos are not found. */
export class ProcessingVideos extends Context.Service<
  ProcessingVideos,
  { readonly find: (videoId: number) => Effect.Effect<Option.Option<ProcessingVideo>, DatabaseUnavailable> }
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
              array(select t.type::integer from thumbnail t where t.video_id = v.id order by t.type) as "thumbnailTypes",
              (select t.filename from thumbnail t where t.video_id = v.id and t.type = 2 limit 1) as "previewFilename"
            from video v where v.id = ${videoId} and not v.remote
          `
          return Option.fromNullishOr(rows[0])
        }, withDatabaseErrors)
      })
    })
  )
}
