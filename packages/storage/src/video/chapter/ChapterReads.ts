import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Chapter } from "@kinora/domain/requests/ChapterRequests"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

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

  const sources = Effect.fn("ChapterReads.sources")(function* (videoId: number) {
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

  return ChapterReads.of({ sources })
})

/** What the chapters of a video are made of. */
export class ChapterReads extends Context.Service<
  ChapterReads,
  {
    readonly sources: (videoId: number) => Effect.Effect<ChapterSources, DatabaseUnavailable>
  }
>()("@kinora/storage/video/chapter/ChapterReads") {
  static readonly layer = Layer.effect(ChapterReads, make)
}
