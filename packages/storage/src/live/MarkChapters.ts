import type { Chapter } from "@kinora/domain/requests/ChapterRequests"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** Adds chapters to those that a video has by hand, in the caller's transaction: where there is one, it stays. */
export const addChapters = (
  sql: SqlClient,
  videoId: number,
  chapters: ReadonlyArray<Chapter>
): Effect.Effect<void, SqlError> =>
  chapters.length === 0
    ? Effect.void
    : Effect.andThen(
        sql`
          insert into video_chapter (video_id, timecode, title)
          select ${videoId}::integer, c.timecode, c.title
          from json_to_recordset(${JSON.stringify(chapters)}::text::json) as c (timecode integer, title text)
          on conflict do nothing`,
        sql`update video set chapters_by_hand = true where id = ${videoId}`
      )
