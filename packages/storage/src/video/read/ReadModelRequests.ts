import { Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * The read models of other instances' videos are made once somebody has asked for the video. Makes a function that asks
 * for those of videos whose text was missing: it waits for nothing, and does nothing while it still notes the ones before.
 */
export const makeReadModelRequests = (sql: SqlClient, scope: Scope.Scope) => {
  let noting = false
  return (videoIds: ReadonlyArray<number>): Effect.Effect<void> => {
    if (noting) return Effect.void
    noting = true
    // An empty row is what the refresher looks for: it fills it under a lock, as it does when something has changed.
    const note = sql`
      insert into video_read_model (video_id) select id from video where id = any(${videoIds}::int[]) and remote
      on conflict do nothing`
    return note.pipe(
      Effect.ignore({ log: "Debug" }),
      Effect.ensuring(Effect.sync(() => void (noting = false))),
      Effect.forkIn(scope),
      Effect.asVoid
    )
  }
}
