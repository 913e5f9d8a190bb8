import { PgClient } from "@effect/sql-pg/PgClient"
import { Context, Effect, Layer, Schedule, Stream } from "effect"
import { listening } from "../../platform/database/Listening.ts"

/** Channel on which a transaction that changes settings notifies every node. */
export const settingsChannel = "settings"

/** Changes of settings on all nodes, through PostgreSQL notifications. */
export class SettingNotices extends Context.Service<
  SettingNotices,
  {
    /**
     * An element whenever the settings may have changed, and one as soon as it listens. Never ends: after an
     * interruption it listens again. Holds a connection outside the pool.
     */
    readonly changes: Stream.Stream<void>
  }
>()("@kinora/storage/settings/SettingNotices") {
  static readonly layer = Layer.effect(
    SettingNotices,
    Effect.gen(function* () {
      const sql = yield* PgClient
      const changes = listening(sql, settingsChannel, "").pipe(
        Stream.map(() => undefined),
        Stream.catch((error) =>
          Stream.fromEffectDrain(
            Effect.logDebug(`The connection that listens for settings was interrupted: ${error.message}`)
          )
        ),
        Stream.repeat(Schedule.spaced("1 second"))
      )
      return SettingNotices.of({ changes })
    })
  )
}
