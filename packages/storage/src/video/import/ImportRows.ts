import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import { type QuotaUsage, quotaUsage } from "../../people/user/QuotaUsage.ts"
import { cancelImportJobs } from "./EndImports.ts"
import { enqueueImport } from "../write/NewImport.ts"
import { lockVideo } from "../write/VideoFiles.ts"

/** The parts of an import that decisions need. */
export interface ImportFacts {
  readonly id: number
  /** The user who started it. */
  readonly userId: number
  /** See VideoImportState. */
  readonly state: number
  readonly attempts: number
  readonly targetUrl: string | null
  /** Null if the video was deleted. */
  readonly video: {
    readonly id: number
    readonly channelId: number
    readonly accountId: number
    readonly collaborators: ReadonlyArray<number>
  } | null
}

/** Result of a change: `refused` if the import is in the wrong state. */
export type ImportChange = "done" | "refused" | "missing"

const toImport = 3
const toImportFailed = 12

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard

  const find = Effect.fn("ImportRows.find")(function* (importId: number) {
    const rows = yield* sql<ImportFacts>`
      select i.id, i.user_id as "userId", i.state::integer as state, i.attempts, i.target_url as "targetUrl",
        case when v.id is not null then json_build_object(
          'id', v.id, 'channelId', v.channel_id, 'accountId', v.account_id, 'collaborators', coalesce((
            select json_agg(k.account_id) from video_channel_collaborator k
            where k.channel_id = v.channel_id and k.state = 2
          ), '[]')
        ) end as video
      from video_import i left join video v on v.id = i.video_id where i.id = ${importId}
    `
    return Option.fromNullishOr(rows[0])
  }, withDatabaseErrors)

  const values = Effect.fn("ImportRows.values")(function* (importId: number) {
    const [row] = yield* sql<Readonly<Record<string, unknown>>>`
      select state, attempts, target_url as "targetUrl", video_id as "videoId" from video_import where id = ${importId}`
    return row
  }, withDatabaseErrors)

  /** Locks the import, and its video before it, in the usual lock order. */
  const hold = Effect.fnUntraced(function* (importId: number) {
    const [before] = yield* sql<{ videoId: number | null }>`
      select video_id as "videoId" from video_import where id = ${importId}
    `
    if (typeof before?.videoId === "number") yield* lockVideo(sql, before.videoId)
    const [row] = yield* sql<{ state: number; videoId: number | null }>`
      select state::integer as state, video_id as "videoId" from video_import where id = ${importId} for update
    `
    return row
  })

  const isOpen = (state: number): boolean => state === 1 || state === 6

  const cancel = Effect.fn("ImportRows.cancel")(
    function* (importId: number) {
      const row = yield* hold(importId)
      if (row === undefined) return "missing"
      if (!isOpen(row.state)) return "refused"
      yield* sql`update video_import set state = 5, updated_at = now() where id = ${importId}`
      yield* sql`
        update video set state = ${toImportFailed}, updated_at = now() where id = ${row.videoId} and state = ${toImport}
      `
      yield* cancelImportJobs(sql, [importId])
      return "done"
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const retry = Effect.fn("ImportRows.retry")(
    function* (importId: number, userId: number) {
      const row = yield* hold(importId)
      if (row === undefined) return "missing"
      if (row.state !== 3 || row.videoId === null) return "refused"
      yield* sql`
        update video_import set state = 1, error = null, updated_at = now(), user_id = ${userId} where id = ${importId}
      `
      yield* sql`
        update video set state = ${toImport}, updated_at = now() where id = ${row.videoId} and state = ${toImportFailed}
      `
      yield* enqueueImport(jobs, importId, row.videoId)
      return "done"
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const remove = Effect.fn("ImportRows.remove")(
    function* (importId: number) {
      const row = yield* hold(importId)
      if (row === undefined) return "missing"
      if (isOpen(row.state)) return "refused"
      yield* sql`delete from video_import where id = ${importId}`
      return "done"
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const open = Effect.fn("ImportRows.open")(function* (userId: number) {
    const rows = yield* sql<{ count: number }>`
      select count(*)::integer as count from video_import where user_id = ${userId} and state in (1, 6)
    `
    return rows[0]!.count
  }, withDatabaseErrors)

  const usage = (userId: number) =>
    quotaUsage(sql, userId, null).pipe(withDatabaseErrors, Effect.withSpan("ImportRows.usage"))

  return ImportRows.of({
    find,
    values,
    cancel,
    retry,
    remove,
    open,
    usage
  })
})

/** Changes of video imports by users. */
export class ImportRows extends Context.Service<
  ImportRows,
  {
    readonly find: (importId: number) => Effect.Effect<Option.Option<ImportFacts>, DatabaseUnavailable>
    /** What changes of it. Undefined: there is none. */
    readonly values: (
      importId: number
    ) => Effect.Effect<Readonly<Record<string, unknown>> | undefined, DatabaseUnavailable>
    /** Cancels an import that waits or runs, and its job. A worker loses it. */
    readonly cancel: (importId: number) => Effect.Effect<ImportChange, DatabaseUnavailable>
    /** Retries a failed import, as one of this user. Also `refused` if its video was deleted. */
    readonly retry: (importId: number, userId: number) => Effect.Effect<ImportChange, DatabaseUnavailable>
    /** Removes an import that has ended. Its video stays. */
    readonly remove: (importId: number) => Effect.Effect<ImportChange, DatabaseUnavailable>
    /** Number of imports of a user that wait or run. */
    readonly open: (userId: number) => Effect.Effect<number, DatabaseUnavailable>
    /** The present usage of a user's quotas. */
    readonly usage: (userId: number) => Effect.Effect<QuotaUsage, DatabaseUnavailable>
  }
>()("@kinora/storage/imports/ImportRows") {
  static readonly layer = Layer.effect(ImportRows, make)
}
