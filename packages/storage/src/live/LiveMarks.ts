import { constraints } from "@kinora/domain/enums/Constraints"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { type Json, type JsonPage, toJson } from "@kinora/domain/wire/Json"
import type { LiveMark } from "@kinora/domain/wire/LiveMark"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../platform/database/Database.ts"
import { textPage } from "../platform/database/TextPage.ts"

/** A moment of a session, by its place in the recording: milliseconds after a run of the encoder began. */
export interface MarkedMoment {
  readonly run: number
  readonly offset: number
}

export interface StoredMark extends MarkedMoment {
  readonly title: string
}

const columns = `m.id, m.title, wire_time(m.created_at) as "createdAt"`

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const shown = sql.literal(columns)

  const add = Effect.fn("LiveMarks.add")(
    function* (sessionId: number, { offset, run }: MarkedMoment, title: string) {
      yield* sql`select 1 from live_session where id = ${sessionId} for update`
      const [mark] = yield* sql<LiveMark>`
        insert into live_mark as m (session_id, run, offset_ms, title)
        select ${sessionId}, ${run}, ${Math.round(offset)}, ${title}
        where (select count(*) from live_mark k where k.session_id = ${sessionId}) < ${constraints.chapter.max}
        returning ${shown}`
      return Option.fromUndefinedOr(mark)
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const ofLive = (videoId: number): Effect.Effect<JsonPage<LiveMark>, DatabaseUnavailable> =>
    withDatabaseErrors(
      Effect.map(
        sql<LiveMark>`
          select ${shown} from live_mark m join live_session s on s.id = m.session_id
          where s.video_id = ${videoId} and s.ended_at is null order by m.id`,
        (rows) =>
          textPage(
            rows.length,
            rows.map((row): Json<LiveMark> => toJson<LiveMark>(row))
          )
      )
    )

  const ofSession = (sessionId: number) =>
    withDatabaseErrors(
      sql<StoredMark>`
        select run, offset_ms as "offset", title from live_mark where session_id = ${sessionId} order by run, offset_ms, id`
    )

  return LiveMarks.of({ add, ofLive, ofSession })
})

/** Moments that makers mark while a live is published. */
export class LiveMarks extends Context.Service<
  LiveMarks,
  {
    /** None: the session has as many as a video may have chapters. */
    readonly add: (
      sessionId: number,
      moment: MarkedMoment,
      title: string
    ) => Effect.Effect<Option.Option<LiveMark>, DatabaseUnavailable>
    /** Those of the session that goes on. */
    readonly ofLive: (videoId: number) => Effect.Effect<JsonPage<LiveMark>, DatabaseUnavailable>
    /** In the order of the recording. */
    readonly ofSession: (sessionId: number) => Effect.Effect<ReadonlyArray<StoredMark>, DatabaseUnavailable>
  }
>()("@kinora/storage/live/LiveMarks") {
  static readonly layer = Layer.effect(LiveMarks, make)
}
