import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** The first job of an upload: thumbnails, and publication if it plays as it is. */
export class InitialProcessing extends Context.Service<
  InitialProcessing,
  {
    /**
     * Whether the first job of a video is pending or running, and the video has no files yet. False once an attempt has
     * failed.
     */
    readonly isUnderWay: (videoId: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/uploads/InitialProcessing") {
  static readonly layer = Layer.effect(
    InitialProcessing,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return InitialProcessing.of({
        isUnderWay: Effect.fn("InitialProcessing.isUnderWay")(function* (videoId: number) {
          const rows = yield* sql`
            select 1 from job where video_id = ${videoId} and type = 'transcoding-job-builder'
              and state in ('waiting', 'active')
              and not exists (select 1 from video_file f where f.video_id = ${videoId})
              and not exists (select 1 from streaming_playlist p where p.video_id = ${videoId})`
          return rows.length > 0
        }, withDatabaseErrors)
      })
    })
  )
}
