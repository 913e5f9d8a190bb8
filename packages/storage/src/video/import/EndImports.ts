import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { importKey } from "../write/NewImport.ts"

const toImport = 3
const toImportFailed = 12

/** Cancels jobs of imports in the caller's transaction. Workers lose the ones they are working on. */
export const cancelImportJobs = (sql: SqlClient, importIds: ReadonlyArray<number>) => sql`
  update job set state = 'cancelled', finished_at = now(), updated_at = now(),
    lease_owner = null, lease_token = null, lease_until = null
  where dedupe_key = any(${importIds.map(importKey)}::text[]) and state not in ('completed', 'failed', 'cancelled')
`

/**
 * Ends a user's imports in the transaction that deletes the user and has locked it. The import rows are deleted with
 * the user, but videos in channels of others stay, and would otherwise wait forever.
 */
export const endImportsOf = Effect.fn("EndImports.endImportsOf")(function* (
  sql: SqlClient,
  userId: number
): Effect.fn.Return<void, SqlError> {
  const open = yield* sql<{ id: number; videoId: number }>`
    select i.id, i.video_id as "videoId" from video_import i join video v on v.id = i.video_id
    where i.user_id = ${userId} and i.state in (1, 6) order by v.id for update of v
  `
  if (open.length === 0) return
  yield* sql`
    update video set state = ${toImportFailed}, updated_at = now()
    where id = any(${open.map(({ videoId }) => videoId)}::int[]) and state = ${toImport}
  `
  yield* cancelImportJobs(
    sql,
    open.map(({ id }) => id)
  )
})
