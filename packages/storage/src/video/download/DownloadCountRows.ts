import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** How often videos were downloaded. */
export class DownloadCountRows extends Context.Service<
  DownloadCountRows,
  {
    /** Adds downloads to the counters, by id of the video. */
    readonly count: (downloads: ReadonlyMap<number, number>) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/video/download/DownloadCountRows") {
  static readonly layer = Layer.effect(
    DownloadCountRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const count = (downloads: ReadonlyMap<number, number>) =>
        withDatabaseErrors(sql`
          update video v set downloads = v.downloads + n.more
          from unnest(${[...downloads.keys()]}::integer[], ${[...downloads.values()]}::integer[]) as n (id, more)
          where v.id = n.id`).pipe(Effect.asVoid)

      return DownloadCountRows.of({ count })
    })
  )
}
