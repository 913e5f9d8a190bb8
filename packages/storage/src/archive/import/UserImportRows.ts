import type { ImportSection, SectionSummary, UserArchiveState } from "@kinora/domain/enums/UserArchiveState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Data, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import type { ObjectKey } from "../../platform/objects/ObjectKey.ts"
import type { UploadResult } from "../../video/upload/UploadSession.ts"
import { usingNewObjects } from "../../video/write/NewObjects.ts"
import { keepObjects } from "../../platform/objects/ObjectIntents.ts"

/** Job type of an import (contract: JobType). */
export const userImportType = "import-user-archive"

/** Maximum attempts per import: after that many died with their worker, it fails. */
const maxAttempts = 3

/** The stored object of an uploaded archive. */
export const userImportObject = (uuid: string): ObjectKey => ({ bucket: "user_imports", name: `${uuid}.zip` })

/** The results of the sections imported so far. */
export type ImportSummary = Readonly<Partial<Record<ImportSection, SectionSummary>>>

/** An import as its user sees it. */
export interface ListedImport {
  readonly id: number
  readonly state: UserArchiveState
  readonly summary: ImportSummary
  readonly error: string | null
  readonly createdAt: string
}

export interface NewUserImport {
  readonly uploadId: string
  readonly userId: number
  readonly uuid: string
  readonly filename: string
  /** Bytes. */
  readonly size: number
  /** How long a repeated last request of the upload gets the same answer. */
  readonly replaySeconds: number
}

/** The user already has an import in progress. */
export class ImportUnderWay extends Data.TaggedError("ImportUnderWay")<{}> {}

/** The upload was cancelled or has expired. */
export class ImportUploadGone extends Data.TaggedError("ImportUploadGone")<{}> {}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard

  const create = Effect.fn("UserImportRows.create")(
    function* (wanted: NewUserImport) {
      yield* sql`select 1 from app_user where id = ${wanted.userId} for key share`
      const [session] = yield* sql<{ result: UploadResult | null }>`
        select result from upload_session where id = ${wanted.uploadId} for update
      `
      if (session === undefined) return yield* new ImportUploadGone()
      if (session.result !== null) return session.result
      const [made] = yield* sql<UploadResult>`
        insert into user_import (uuid, user_id, upload_id, filename, size)
        values (${wanted.uuid}, ${wanted.userId}, ${wanted.uploadId}, ${wanted.filename}, ${wanted.size})
        on conflict (user_id) where state in (1, 2) do nothing returning id, uuid
      `
      if (made === undefined) return yield* new ImportUnderWay()
      yield* jobs.enqueue({
        type: userImportType,
        payload: { importId: made.id },
        dedupeKey: `user-import:${made.id}`,
        maxAttempts
      })
      yield* keepObjects(sql, [userImportObject(wanted.uuid)])
      yield* sql`
        update upload_session set state = 'done', received = size, result = ${JSON.stringify(made)}::text::jsonb,
          updated_at = now(), expires_at = now() + make_interval(secs => ${wanted.replaySeconds})
        where id = ${wanted.uploadId}
      `
      return made
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const latest = Effect.fn("UserImportRows.latest")(function* (userId: number) {
    const rows = yield* sql<ListedImport>`
      select id, state, summary, error, wire_time(created_at) as "createdAt"
      from user_import where user_id = ${userId} order by id desc limit 1
    `
    return Option.fromUndefinedOr(rows[0])
  }, withDatabaseErrors)

  const underWay = Effect.fn("UserImportRows.underWay")(function* (userId: number) {
    return (yield* sql`select 1 from user_import where user_id = ${userId} and state in (1, 2)`).length > 0
  }, withDatabaseErrors)

  const quota = Effect.fn("UserImportRows.quota")(function* (userId: number) {
    const rows = yield* sql<{ quota: number }>`select video_quota as quota from app_user where id = ${userId}`
    return Number(rows[0]?.quota ?? 0)
  }, withDatabaseErrors)

  return UserImportRows.of({
    create,
    latest,
    underWay,
    quota,
    using: (uuid, work) => usingNewObjects(sql, [userImportObject(uuid)], work)
  })
})

/** Archives that users uploaded, as the users see them. */
export class UserImportRows extends Context.Service<
  UserImportRows,
  {
    /** Turns an upload with a stored archive into an import and its job. If repeated, returns the existing import. */
    readonly create: (
      wanted: NewUserImport
    ) => Effect.Effect<UploadResult, ImportUnderWay | ImportUploadGone | DatabaseUnavailable>
    readonly latest: (userId: number) => Effect.Effect<Option.Option<ListedImport>, DatabaseUnavailable>
    /** Whether the user has an import that waits or runs. */
    readonly underWay: (userId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Quota for the user's videos in bytes; -1: no limit. */
    readonly quota: (userId: number) => Effect.Effect<number, DatabaseUnavailable>
    /** Runs work that stores the archive and then creates the import. If it fails, the archive is removed. */
    readonly using: <A, E, R>(
      uuid: string,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | DatabaseUnavailable, R>
  }
>()("@kinora/storage/userimports/UserImportRows") {
  static readonly layer = Layer.effect(UserImportRows, make)
}
