import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** The jobs that look at an upload first: thumbnails, and publication of what plays as it is. */
export class FirstLooks extends Context.Service<
  FirstLooks,
  {
    /** Whether the first look at a video is waited for or in work; false once an attempt has failed. */
    readonly isUnderWay: (videoId: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/uploads/FirstLooks") {
  static readonly layer = Layer.effect(
    FirstLooks,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return FirstLooks.of({
        isUnderWay: Effect.fn("FirstLooks.isUnderWay")(function* (videoId: number) {
          const rows = yield* sql`
            select 1 from job where video_id = ${videoId} and type = 'transcoding-job-builder'
              and state in ('waiting', 'active')`
          return rows.length > 0
        }, withDatabaseErrors)
      })
    })
  )
}
