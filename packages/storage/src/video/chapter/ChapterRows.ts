import { ChannelActivityAction } from "@kinora/domain/enums/ChannelActivity"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Chapter } from "@kinora/domain/requests/ChapterRequests"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { recordVideoActivity } from "../../people/collaborator/VideoActivities.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { lockVideo } from "../write/VideoFiles.ts"

/** The possible sources of a video's chapters. */
export interface ChapterSources {
  /** In order. Null if nobody set any. */
  readonly byHand: ReadonlyArray<Chapter> | null
  readonly description: string | null
  /** Seconds. */
  readonly duration: number
  /** Chapters of the file from ffprobe. Null if there were none. */
  readonly ofFile: unknown
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const sources = Effect.fn("ChapterRows.sources")(function* (videoId: number) {
    const [row] = yield* sql<ChapterSources>`
      select case when v.chapters_by_hand then coalesce((
          select json_agg(json_build_object('timecode', c.timecode, 'title', c.title) order by c.timecode)
          from video_chapter c where c.video_id = v.id
        ), '[]') end as "byHand",
        v.description, v.duration, case when not v.chapters_by_hand then (
          select s.metadata -> 'chapters' from video_source s where s.video_id = v.id and s.shown order by s.created_at desc limit 1
        ) end as "ofFile"
      from video v where v.id = ${videoId}
    `
    return row ?? { byHand: [], description: null, duration: 0, ofFile: null }
  }, withDatabaseErrors)

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

  return ChapterRows.of({ sources, replace })
})

/** Chapters of videos. */
export class ChapterRows extends Context.Service<
  ChapterRows,
  {
    readonly sources: (videoId: number) => Effect.Effect<ChapterSources, DatabaseUnavailable>
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
