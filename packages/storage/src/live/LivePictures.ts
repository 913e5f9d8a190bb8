import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../platform/database/Database.ts"
import type { NewThumbnail } from "../video/write/NewVideo.ts"
import { setThumbnails } from "../video/write/VideoDetails.ts"
import { lockVideo } from "../video/write/VideoFiles.ts"

/** Pages that were read a moment ago still show the old ones. */
const grace = Duration.toSeconds(Duration.hours(1))

/** Thumbnails of lives that nobody chose. */
export class LivePictures extends Context.Service<
  LivePictures,
  {
    /** Whether the live has no thumbnail that a user chose. */
    readonly wanted: (videoId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Replaces them, unless a user chose some meanwhile. The objects are in the store, and kept if they are used. */
    readonly replace: (
      videoId: number,
      thumbnails: ReadonlyArray<NewThumbnail>
    ) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/live/LivePictures") {
  static readonly layer = Layer.effect(
    LivePictures,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const isWanted = (videoId: number) =>
        Effect.map(
          sql`select 1 from thumbnail where video_id = ${videoId} and not automatically_generated limit 1`,
          (rows) => rows.length === 0
        )
      return LivePictures.of({
        wanted: (videoId) => withDatabaseErrors(isWanted(videoId)),
        replace: Effect.fn("LivePictures.replace")(
          function* (videoId, thumbnails) {
            if ((yield* lockVideo(sql, videoId)) === undefined || !(yield* isWanted(videoId))) return false
            yield* setThumbnails(sql, videoId, thumbnails, grace)
            return true
          },
          sql.withTransaction,
          withDatabaseErrors
        )
      })
    })
  )
}
