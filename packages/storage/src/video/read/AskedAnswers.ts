import { Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * Ready answers of other instances' videos are made once somebody has asked for the video. The function it makes has that
 * done, for videos whose answer was missing: it waits for nothing, and does nothing while the ones before are being noted.
 */
export const makeAskedAnswers = (sql: SqlClient, scope: Scope.Scope) => {
  let noting = false
  return (videoIds: ReadonlyArray<number>): Effect.Effect<void> => {
    if (noting) return Effect.void
    noting = true
    // An empty row is what the refresher looks for: it fills it under a lock, as it does when something has changed.
    const note = sql`
      insert into video_wire (video_id) select id from video where id = any(${videoIds}::int[]) and remote
      on conflict do nothing`
    return note.pipe(
      Effect.ignore({ log: "Debug" }),
      Effect.ensuring(Effect.sync(() => void (noting = false))),
      Effect.forkIn(scope),
      Effect.asVoid
    )
  }
}
