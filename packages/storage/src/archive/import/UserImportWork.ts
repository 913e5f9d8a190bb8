import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { type ClaimedJob, type JobLease, LeaseLost } from "../../platform/jobs/Job.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import type { ImportSummary } from "./UserImportRows.ts"

/** An import in progress, and the account it goes into. */
export interface UserImportTask {
  readonly importId: number
  readonly uuid: string
  /** Bytes of the archive. */
  readonly size: number
  readonly userId: number
  readonly username: string
  readonly email: string
  readonly blocked: boolean
  readonly role: number
  readonly adminFlags: number
  readonly accountId: number
  /** The actor of the account. */
  readonly actorId: number
  readonly accountName: string
  readonly videoQuota: number
  readonly videoQuotaDaily: number
}

const lost = "The archive was looked at again and again, and never to its end"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard

  const begin = Effect.fn("UserImportWork.begin")(
    function* (job: ClaimedJob, importId: number) {
      const held = yield* sql`
        select 1 from job where id = ${job.id} and lease_token = ${job.lease.token}::uuid for key share
      `
      if (held.length === 0) return yield* new LeaseLost({ jobId: job.id })
      const [task] = yield* sql<UserImportTask>`
        with begun as (
          update user_import set state = 2, summary = '{}', error = null, updated_at = now()
          where id = ${importId} and state in (1, 2) returning *
        )
        select i.id as "importId", i.uuid, i.size::bigint as size, u.id as "userId", u.username::text as username,
          u.email::text as email, u.blocked, u.role, u.admin_flags as "adminFlags", a.id as "accountId",
          a.actor_id as "actorId", r.preferred_username::text as "accountName", u.video_quota as "videoQuota",
          u.video_quota_daily as "videoQuotaDaily"
        from begun i join app_user u on u.id = i.user_id join account a on a.user_id = u.id
          join actor r on r.id = a.actor_id
      `
      return Option.fromUndefinedOr(task)
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const note = Effect.fn("UserImportWork.note")(
    function* (importId: number, lease: JobLease, summary: ImportSummary) {
      yield* jobs.progress(lease, Math.min(99, Object.keys(summary).length * 8))
      yield* sql`
        update user_import set summary = ${JSON.stringify(summary)}::text::jsonb, updated_at = now() where id = ${importId}
      `
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const finish = Effect.fn("UserImportWork.finish")(
    function* (
      importId: number,
      lease: JobLease,
      summary: ImportSummary,
      announce: Effect.Effect<void, DatabaseUnavailable>
    ) {
      yield* jobs.complete(lease)
      const rows = yield* sql`
        update user_import set state = 3, summary = ${JSON.stringify(summary)}::text::jsonb, updated_at = now()
        where id = ${importId} returning id
      `
      if (rows.length > 0) yield* announce
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const fail = Effect.fn("UserImportWork.fail")(
    function* (
      importId: number,
      lease: JobLease,
      failure: { readonly error: string; readonly final: boolean },
      announce: Effect.Effect<void, DatabaseUnavailable>
    ) {
      const became = yield* jobs.fail(lease, failure.error, { final: failure.final })
      const rows = yield* sql`
        update user_import set state = ${became === "failed" ? 4 : 1}, error = ${failure.error}, updated_at = now()
        where id = ${importId} and state in (1, 2) returning id
      `
      if (became === "failed" && rows.length > 0) yield* announce
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const release = Effect.fn("UserImportWork.release")(
    function* (importId: number, lease: JobLease) {
      yield* jobs.release(lease)
      yield* sql`update user_import set state = 1, updated_at = now() where id = ${importId} and state = 2`
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  return UserImportWork.of({
    begin,
    note,
    finish,
    fail,
    release,
    settleAbandoned: sql`
      update user_import i set state = 4, error = ${lost}, updated_at = now()
      where i.state in (1, 2) and not exists (
        select 1 from job j
        where j.dedupe_key = 'user-import:' || i.id and j.state not in ('completed', 'failed', 'cancelled')
      ) returning i.id
    `.pipe(
      Effect.map((rows) => rows.length),
      withDatabaseErrors,
      Effect.withSpan("UserImportWork.settleAbandoned")
    )
  })
})

/** The steps of an import, as its worker takes them. Each is one transaction. */
export class UserImportWork extends Context.Service<
  UserImportWork,
  {
    /** Starts the import and returns its task. None if the import was deleted or has ended. */
    readonly begin: (
      job: ClaimedJob,
      importId: number
    ) => Effect.Effect<Option.Option<UserImportTask>, LeaseLost | DatabaseUnavailable>
    /** Records the progress. */
    readonly note: (
      importId: number,
      lease: JobLease,
      summary: ImportSummary
    ) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /** Completes the import. `announce` runs in the same transaction. The archive is removed afterwards. */
    readonly finish: (
      importId: number,
      lease: JobLease,
      summary: ImportSummary,
      announce: Effect.Effect<void, DatabaseUnavailable>
    ) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /** Fails the attempt, or the import if it was the last one or retrying cannot help. The message is for the user. */
    readonly fail: (
      importId: number,
      lease: JobLease,
      failure: { readonly error: string; readonly final: boolean },
      announce: Effect.Effect<void, DatabaseUnavailable>
    ) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /** Hands the import back without counting an attempt, as on shutdown. */
    readonly release: (importId: number, lease: JobLease) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /** Fails imports that no worker will try again, because all attempts died with their workers. Returns how many. */
    readonly settleAbandoned: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/userimports/UserImportWork") {
  static readonly layer = Layer.effect(UserImportWork, make)
}
