import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import type { VideoRow } from "./rows/VideoRow.ts"

/** Finished texts of videos as other instances read them. */
export class KeptVideoObjects extends Context.Service<
  KeptVideoObjects,
  {
    /**
     * Keeps the text made of a row for later readers, unless the video has changed since the row was read or is being
     * changed. Waits for no lock.
     */
    readonly keep: (row: VideoRow, text: string) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/federation/activitypub/KeptVideoObjects") {
  static readonly layer = Layer.effect(
    KeptVideoObjects,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      // Whatever an object is made of, its change updates the row that keeps the text: `xmin` is that of the row as it was
      // when the parts were read in the same statement.
      const keep = Effect.fnUntraced(function* ({ id, version }: VideoRow, text: string) {
        if (version === null) return
        yield* sql`
          update video_read_model set object = ${text} where video_id = (
            select video_id from video_read_model
            where video_id = ${id} and xmin::text = ${version} and summary is not null and details is not null
            for no key update skip locked
          )`
      }, withDatabaseErrors)

      return KeptVideoObjects.of({ keep })
    })
  )
}
