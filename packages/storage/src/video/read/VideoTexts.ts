import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { actorRows } from "../../people/actor/ActorTexts.ts"
import { opened, type VideoRow, videoDetails, videoSummary } from "./VideoJson.ts"
import { videoDetailsRows, videoRows } from "./VideoRows.ts"

const summariesOf = Effect.fnUntraced(function* (sql: SqlClient, rows: ReadonlyArray<VideoRow>) {
  const actors = yield* actorRows(sql, [...new Set(rows.flatMap((row) => [row.accountActorId, row.channelActorId]))])
  const texts = new Map<number, string>()
  for (const row of rows) {
    const account = actors.get(row.accountActorId)
    const channel = actors.get(row.channelActorId)
    if (account !== undefined && channel !== undefined) texts.set(row.id, opened(videoSummary(row, account, channel)))
  }
  return texts
})

/**
 * What lists show of videos, by id: JSON text (contract: Video) without counts and without its last brace. A video that
 * is gone is missing.
 */
export const makeVideoSummaries = (sql: SqlClient, ids: ReadonlyArray<number>) =>
  Effect.flatMap(videoRows(sql, ids), (rows) => summariesOf(sql, rows))

/**
 * Videos in full, by id: JSON text (contract: VideoDetails) without counts, account, channel and its last brace. A video
 * that is gone is missing.
 */
export const makeVideoDetails = (sql: SqlClient, ids: ReadonlyArray<number>) =>
  Effect.map(
    videoDetailsRows(sql, ids),
    (rows): ReadonlyMap<number, string> => new Map(rows.map((row) => [row.id, opened(videoDetails(row))]))
  )

/** Both texts of each video that is there, in few statements. */
export const makeVideoTexts = Effect.fnUntraced(function* (sql: SqlClient, ids: ReadonlyArray<number>) {
  const rows = yield* videoDetailsRows(sql, ids)
  const summaries = yield* summariesOf(sql, rows)
  return rows.flatMap((row) => {
    const summary = summaries.get(row.id)
    return summary === undefined ? [] : [{ id: row.id, summary, details: opened(videoDetails(row)) }]
  })
})
