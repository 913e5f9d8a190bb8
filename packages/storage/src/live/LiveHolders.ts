import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../platform/database/DatabaseErrors.ts"

/** Which node publishes a live. */
export class LiveHolders extends Context.Service<
  LiveHolders,
  {
    /** The name of the node; also for a moment after the end, while players read what is left. */
    readonly byUuid: (uuid: string) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
    readonly byId: (videoId: number) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
  }
>()("@kinora/storage/live/LiveHolders") {
  static readonly layer = Layer.effect(
    LiveHolders,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const held = sql.literal(
        "(s.ended_at is null or s.ended_at > now() - interval '90 seconds') order by s.id desc limit 1"
      )
      const first = (rows: ReadonlyArray<{ readonly holder: string }>) => Option.fromNullishOr(rows[0]?.holder)
      return LiveHolders.of({
        byUuid: Effect.fn("LiveHolders.byUuid")(function* (uuid: string) {
          return first(
            yield* sql<{ holder: string }>`
              select s.holder from live_session s join video v on v.id = s.video_id where v.uuid = ${uuid}::uuid and ${held}`
          )
        }, withDatabaseErrors),
        byId: Effect.fn("LiveHolders.byId")(function* (videoId: number) {
          return first(
            yield* sql<{
              holder: string
            }>`select s.holder from live_session s where s.video_id = ${videoId} and ${held}`
          )
        }, withDatabaseErrors)
      })
    })
  )
}
