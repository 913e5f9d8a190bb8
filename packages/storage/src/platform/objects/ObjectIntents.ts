import { Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Name of an object, as in the object store's keys. */
export interface ObjectName {
  readonly bucket: string
  readonly name: string
}

/** Files of a playlist are in a folder named after the video. */
export const hlsName = (uuid: string, filename: string): string => `${uuid}/${filename}`

/** Queues objects for removal in the caller's transaction. `graceSeconds` leaves time for running players. */
export const removeLater = Effect.fnUntraced(function* (
  sql: SqlClient,
  objects: ReadonlyArray<ObjectName>,
  graceSeconds: number
) {
  if (objects.length === 0) return
  yield* sql`
    insert into object_removal (bucket, name, not_before)
    select o.bucket, o.name, now() + make_interval(secs => ${graceSeconds})
    from json_to_recordset(${JSON.stringify(objects)}::text::json) as o (bucket text, name text)
  `
})

/** What is kept longer is no replaced file, but one that is about to be used. */
const longestGrace = Duration.toSeconds(Duration.hours(12))

/** Queued files of a video's HLS folder need not be kept for players any longer: nothing leads to them. */
export const endGrace = (sql: SqlClient, uuid: string) =>
  sql`
    update object_removal set not_before = now()
    where bucket in ('streaming_playlists', 'streaming_playlists_private') and starts_with(name, ${`${uuid}/`})
      and store is null
      and not_before > now() and not_before - created_at < make_interval(secs => ${longestGrace})
  `

/** Takes objects off the queue: a transaction that makes objects reachable must keep them. */
export const keepObjects = Effect.fnUntraced(function* (sql: SqlClient, objects: ReadonlyArray<ObjectName>) {
  if (objects.length === 0) return
  yield* sql`
    delete from object_removal r
    using json_to_recordset(${JSON.stringify(objects)}::text::json) as o (bucket text, name text)
    where r.bucket = o.bucket and r.name = o.name and r.store is null
  `
})

/**
 * Must be called, and committed, before objects are stored: unless something keeps them within a day, they are removed.
 */
export const intendObjects = (sql: SqlClient, objects: ReadonlyArray<ObjectName>) =>
  Effect.andThen(keepObjects(sql, objects), removeLater(sql, objects, Duration.toSeconds(Duration.days(1)))).pipe(
    sql.withTransaction
  )

/** Removes intended objects at once that nothing kept. */
export const abandonObjects = (sql: SqlClient, objects: ReadonlyArray<ObjectName>) =>
  sql`
    update object_removal r set not_before = now()
    from json_to_recordset(${JSON.stringify(objects)}::text::json) as o (bucket text, name text)
    where r.bucket = o.bucket and r.name = o.name and r.store is null
  `
