import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { NewSource, NewThumbnail } from "./NewVideo.ts"
import { keepObjects, removeLater } from "../../platform/objects/ObjectIntents.ts"

/** Adds tags to a video and creates new ones. Tags are compared without case. */
export const addTags = Effect.fnUntraced(function* (sql: SqlClient, videoId: number, tags: ReadonlyArray<string>) {
  if (tags.length === 0) return
  const list = JSON.stringify(tags)
  // Always inserted in the same order, so that two uploads with the same new tags cannot deadlock.
  yield* sql`
    insert into tag (name)
    select distinct t::citext from json_array_elements_text(${list}::text::json) t order by 1
    on conflict (name) do nothing
  `
  yield* sql`
    insert into video_tag (video_id, tag_id)
    select ${videoId}::integer, tag.id from tag
    where tag.name in (select t::citext from json_array_elements_text(${list}::text::json) t)
    on conflict do nothing
  `
})

export const addPasswords = Effect.fnUntraced(function* (
  sql: SqlClient,
  videoId: number,
  passwords: ReadonlyArray<string>
) {
  if (passwords.length === 0) return
  yield* sql`
    insert into video_password (video_id, password)
    select ${videoId}::integer, p from json_array_elements_text(${JSON.stringify(passwords)}::text::json) p
    on conflict do nothing
  `
})

/** Sets the passwords of a video. Those that stay keep their row ids. */
export const replacePasswords = Effect.fnUntraced(function* (
  sql: SqlClient,
  videoId: number,
  passwords: ReadonlyArray<string>
) {
  yield* sql`
    delete from video_password where video_id = ${videoId} and password not in (
      select p from json_array_elements_text(${JSON.stringify(passwords)}::text::json) p
    )
  `
  yield* addPasswords(sql, videoId, passwords)
})

/** Adds the source of a video, whose file is in the object store: from now on it is kept. */
export const addSource = Effect.fnUntraced(function* (sql: SqlClient, videoId: number, source: NewSource) {
  yield* sql`
    insert into video_source (video_id, input_filename, filename, size, width, height, resolution, fps, metadata)
    values (
      ${videoId}, ${source.inputFilename}, ${source.filename}, ${source.size}, ${source.width}, ${source.height},
      ${source.resolution}, ${source.fps}, ${JSON.stringify(source.metadata)}::text::jsonb
    )
  `
  yield* keepObjects(sql, [sourceObject(source.filename)])
})

/** Keeps the file of a source again that a repeated request was about to store: it is in use already. */
export const keepSource = Effect.fnUntraced(function* (sql: SqlClient, { filename }: NewSource) {
  const used = yield* sql`select 1 from video_source where filename = ${filename}`
  if (used.length > 0) yield* keepObjects(sql, [sourceObject(filename)])
})

/** Name in the object store of the file of a source. */
export const sourceObject = (filename: string) => ({ bucket: "original_video_files", name: filename }) as const

/** Replaces the thumbnails of a video. The old ones are removed after `graceSeconds`. */
export const setThumbnails = Effect.fnUntraced(function* (
  sql: SqlClient,
  videoId: number,
  thumbnails: ReadonlyArray<NewThumbnail>,
  graceSeconds: number
) {
  const types = JSON.stringify(thumbnails.map((thumbnail) => thumbnail.type))
  const old = yield* sql<{ name: string }>`
    delete from thumbnail where video_id = ${videoId}
      and type in (select t::smallint from json_array_elements_text(${types}::text::json) t)
    returning filename as name
  `
  yield* removeLater(
    sql,
    old.map(({ name }) => ({ bucket: "thumbnails", name })),
    graceSeconds
  )
  for (const thumbnail of thumbnails) {
    yield* sql`
      insert into thumbnail (video_id, type, filename, width, height, automatically_generated)
      values (
        ${videoId}, ${thumbnail.type}, ${thumbnail.filename}, ${thumbnail.width}, ${thumbnail.height},
        ${thumbnail.automaticallyGenerated}
      )
    `
  }
  yield* keepObjects(
    sql,
    thumbnails.map(({ filename }) => ({ bucket: "thumbnails", name: filename }))
  )
})
