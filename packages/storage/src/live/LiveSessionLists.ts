import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { type Json, type JsonPage, toJson } from "@kinora/domain/wire/Json"
import type { LiveSession } from "@kinora/domain/wire/Live"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { withDatabaseErrors } from "../platform/database/Database.ts"
import { textPage } from "../platform/database/TextPage.ts"

interface SessionRow {
  readonly id: number
  readonly startDate: string
  readonly endDate: string | null
  readonly error: number | null
  readonly saveReplay: boolean
  readonly endingProcessed: boolean
  readonly replayPrivacy: number | null
  readonly replayId: number | null
  readonly replayUuid: string | null
}

const sessionJson = ({ replayId, replayPrivacy, replayUuid, ...row }: SessionRow): Json<LiveSession> =>
  toJson<LiveSession>({
    ...row,
    ...(replayPrivacy === null ? {} : { replaySettings: { privacy: replayPrivacy } }),
    replayVideo:
      replayId === null || replayUuid === null
        ? null
        : { id: replayId, uuid: replayUuid, shortUUID: toShortUuid(replayUuid) }
  })

/** Sessions of lives as clients read them (contract: LiveVideoSessionResponse). */
export class LiveSessionLists extends Context.Service<
  LiveSessionLists,
  {
    /** All sessions of a live. */
    readonly ofLive: (
      videoId: number,
      latestFirst: boolean
    ) => Effect.Effect<JsonPage<LiveSession>, DatabaseUnavailable>
    /** The session that a video is the replay of. */
    readonly ofReplay: (videoId: number) => Effect.Effect<Option.Option<Json<LiveSession>>, DatabaseUnavailable>
  }
>()("@kinora/storage/live/LiveSessionLists") {
  static readonly layer = Layer.effect(
    LiveSessionLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = (rest: Fragment) => sql<SessionRow>`
        select s.id, wire_time(s.started_at) as "startDate", wire_time(s.ended_at) as "endDate", s.error,
          s.save_replay as "saveReplay", s.ending_processed as "endingProcessed", s.replay_privacy as "replayPrivacy",
          r.id as "replayId", r.uuid::text as "replayUuid"
        from live_session s left join video r on r.id = s.replay_video_id ${rest}`
      return LiveSessionLists.of({
        ofLive: (videoId, latestFirst) =>
          withDatabaseErrors(
            Effect.map(
              rows(
                sql`where s.video_id = ${videoId} order by s.started_at ${sql.literal(latestFirst ? "desc" : "asc")}`
              ),
              (found) => textPage(found.length, found.map(sessionJson))
            )
          ),
        ofReplay: (videoId) =>
          withDatabaseErrors(
            Effect.map(rows(sql`where s.replay_video_id = ${videoId} order by s.started_at desc limit 1`), ([row]) =>
              Option.map(Option.fromUndefinedOr(row), sessionJson)
            )
          )
      })
    })
  )
}
