import { ChannelActivityAction } from "@kinora/domain/enums/ChannelActivity"
import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { recordVideoActivity } from "../../people/collaborator/VideoActivities.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { putBytes } from "../../platform/objects/ObjectBytes.ts"
import { ObjectStore } from "../../platform/objects/ObjectStore.ts"
import { usingNewObjects } from "../write/NewObjects.ts"
import type { Around } from "../../platform/audit/Around.ts"
import { keepObjects, removeLater } from "../../platform/objects/ObjectIntents.ts"
import { lockVideo } from "../write/VideoFiles.ts"

/** Seconds for which replaced captions are kept for running players. */
const grace = 60

const objectOf = (filename: string) => ({ bucket: "captions", name: filename }) as const

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const objects = yield* ObjectStore

  const take = Effect.fnUntraced(function* (videoId: number, language: string) {
    const gone = yield* sql<{ filename: string }>`
      delete from video_caption where video_id = ${videoId} and language = ${language} returning filename
    `
    yield* removeLater(
      sql,
      gone.map(({ filename }) => objectOf(filename)),
      grace
    )
    return gone.length > 0
  })

  const change = <E>(videoId: number, accountId: number, work: Effect.Effect<boolean, E>) =>
    Effect.gen(function* () {
      if ((yield* lockVideo(sql, videoId)) === undefined) return false
      const changed = yield* work
      if (!changed) return false
      yield* sql`update video set updated_at = now() where id = ${videoId}`
      yield* recordVideoActivity(sql, { videoId, accountId, action: ChannelActivityAction.updateCaptions })
      return true
    }).pipe(sql.withTransaction, withDatabaseErrors)

  const set = Effect.fn("CaptionRows.set")(function* (
    videoId: number,
    accountId: number,
    language: string,
    text: string,
    around: Around = (work) => work
  ) {
    const filename = `${randomUUID()}-${language}.vtt`
    const inUse = Effect.gen(function* () {
      yield* take(videoId, language)
      yield* sql`
        insert into video_caption (video_id, language, filename) values (${videoId}, ${language}, ${filename})
      `
      yield* keepObjects(sql, [objectOf(filename)])
      return true
    })
    return yield* usingNewObjects(
      sql,
      [objectOf(filename)],
      Effect.andThen(putBytes(objects, objectOf(filename), text), around(change(videoId, accountId, inUse)))
    )
  })

  const remove = Effect.fn("CaptionRows.remove")((videoId: number, accountId: number, language: string) =>
    change(videoId, accountId, take(videoId, language))
  )

  const count = Effect.fn("CaptionRows.count")(function* (videoId: number) {
    const [row] = yield* sql<{ count: number }>`
      select count(*)::int as count from video_caption where video_id = ${videoId}
    `
    return row!.count
  }, withDatabaseErrors)

  return CaptionRows.of({ set, remove, count })
})

/** Captions of videos, one file per language. */
export class CaptionRows extends Context.Service<
  CaptionRows,
  {
    /**
     * Stores WebVTT under a new name and replaces captions of the same language. False: no such local video. `around` adds to
     * the transaction that puts them into use.
     */
    readonly set: (
      videoId: number,
      accountId: number,
      language: string,
      text: string,
      around?: Around
    ) => Effect.Effect<boolean, InsufficientStorage | DatabaseUnavailable>
    /** False if there are none in the language. */
    readonly remove: (
      videoId: number,
      accountId: number,
      language: string
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Number of languages in which a video has captions. */
    readonly count: (videoId: number) => Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/videos/captions/CaptionRows") {
  static readonly layer = Layer.effect(CaptionRows, make)
}
