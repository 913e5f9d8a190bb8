import { ChannelActivityAction } from "@kinora/domain/enums/ChannelActivity"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Chapter } from "@kinora/domain/requests/ChapterRequests"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { recordVideoActivity } from "../../people/collaborator/VideoActivities.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { lockVideo } from "../write/VideoFiles.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const replace = Effect.fn("ChapterRows.replace")(
    function* (videoId: number, accountId: number, chapters: ReadonlyArray<Chapter>) {
      if ((yield* lockVideo(sql, videoId)) === undefined) return false
      yield* sql`delete from video_chapter where video_id = ${videoId}`
      yield* sql`
        insert into video_chapter (video_id, timecode, title)
        select ${videoId}::integer, c.timecode, c.title
        from json_to_recordset(${JSON.stringify(chapters)}::text::json) as c (timecode integer, title text)
      `
      yield* sql`update video set chapters_by_hand = true, updated_at = now() where id = ${videoId}`
      yield* recordVideoActivity(sql, { videoId, accountId, action: ChannelActivityAction.updateChapters })
      return true
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  return ChapterRows.of({ replace })
})

/** Chapters of videos, as they are set by hand. */
export class ChapterRows extends Context.Service<
  ChapterRows,
  {
    /** Sets them by hand; an empty list counts too. False if there is no such local video. */
    readonly replace: (
      videoId: number,
      accountId: number,
      chapters: ReadonlyArray<Chapter>
    ) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/videos/chapters/ChapterRows") {
  static readonly layer = Layer.effect(ChapterRows, make)
}
