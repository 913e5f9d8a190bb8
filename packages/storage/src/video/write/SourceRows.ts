import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { removeLater } from "../../platform/objects/ObjectIntents.ts"

/** The properties a video gets from its source: whole seconds, and width by height. */
export interface SourceShape {
  readonly duration: number
  readonly aspectRatio: number | null
}

/** Condition on a video `v`: it was published before its source was replaced, so its date stays. */
export const stands = (sql: SqlClient) =>
  sql`exists (select 1 from video_source s where s.video_id = v.id and s.republishes)`

/** Removes the source files of a locked video; their metadata stays. Returns how many there were. */
export const dropSources = Effect.fnUntraced(function* (sql: SqlClient, videoId: number) {
  const old = yield* sql<{ name: string }>`
    with dropped as (
      select id, filename from video_source where video_id = ${videoId} and filename is not null
    )
    update video_source s set filename = null, updated_at = now() from dropped d
    where s.id = d.id returning d.filename as name
  `
  yield* removeLater(
    sql,
    old.map(({ name }) => ({ bucket: "original_video_files", name })),
    0
  )
  return old.length
})

/** The video shows its latest source from now on. Metadata of former ones is deleted. */
export const showSource = Effect.fnUntraced(function* (sql: SqlClient, videoId: number, shape: SourceShape) {
  yield* sql`
    update video set duration = ${shape.duration}, aspect_ratio = ${shape.aspectRatio} where id = ${videoId}
  `
  yield* sql`
    delete from video_source where video_id = ${videoId} and filename is null and id <> (
      select id from video_source where video_id = ${videoId} order by created_at desc, id desc limit 1
    )
  `
  yield* sql`update video_source set shown = true, updated_at = now() where video_id = ${videoId} and not shown`
})
