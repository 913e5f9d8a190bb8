import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { type ClaimedJob, type JobLease, LeaseLost } from "../../platform/jobs/Job.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import { abandonObjects, intendObjects, keepObjects } from "../../platform/objects/ObjectIntents.ts"
import type { ExportTask } from "./sections/ExportTask.ts"
import { userExportObject } from "./UserExportRows.ts"

const lost = "The archive was begun again and again, and was never finished"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard

  const begin = Effect.fn("UserExportWork.begin")(
    function* (job: ClaimedJob, exportId: number) {
      const held = yield* sql`
        select 1 from job where id = ${job.id} and lease_token = ${job.lease.token}::uuid for key share
      `
      if (held.length === 0) return yield* new LeaseLost({ jobId: job.id })
      const [task] = yield* sql<ExportTask>`
        with begun as (
          update user_export set state = 2, error = null, updated_at = now() where id = ${exportId} and state in (1, 2)
          returning *
        )
        select e.id as "exportId", e.uuid, e.with_video_files as "withVideoFiles", u.id as "userId",
          u.username::text as username, u.email::text as email, a.id as "accountId", a.actor_id as "actorId"
        from begun e join app_user u on u.id = e.user_id join account a on a.user_id = u.id
      `
      return Option.fromUndefinedOr(task)
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const finish = Effect.fn("UserExportWork.finish")(
    function* (
      { exportId, uuid }: ExportTask,
      lease: JobLease,
      archive: { readonly size: number; readonly keep: Duration.Duration },
      announce: Effect.Effect<void, DatabaseUnavailable>
    ) {
      yield* jobs.complete(lease)
      const rows = yield* sql`
        update user_export set state = 3, size = ${archive.size}, updated_at = now(),
          expires_at = now() + make_interval(secs => ${Duration.toSeconds(archive.keep)})
        where id = ${exportId} returning id
      `
      // The export was cancelled or its user deleted: the archive is removed, as intended.
      if (rows.length === 0) return yield* abandonObjects(sql, [userExportObject(uuid)])
      yield* keepObjects(sql, [userExportObject(uuid)])
      yield* announce
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const fail = Effect.fn("UserExportWork.fail")(
    function* (exportId: number, lease: JobLease, error: string, final: boolean) {
      const became = yield* jobs.fail(lease, error, { final })
      yield* sql`
        update user_export set state = ${became === "failed" ? 4 : 1}, error = ${error}, updated_at = now()
        where id = ${exportId} and state in (1, 2)
      `
      return became
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const release = Effect.fn("UserExportWork.release")(
    function* (exportId: number, lease: JobLease) {
      yield* jobs.release(lease)
      yield* sql`update user_export set state = 1, updated_at = now() where id = ${exportId} and state = 2`
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  return UserExportWork.of({
    begin,
    finish,
    fail,
    release,
    intend: Effect.fn("UserExportWork.intend")(function* (uuid: string) {
      yield* intendObjects(sql, [userExportObject(uuid)])
    }, withDatabaseErrors),
    abandon: Effect.fn("UserExportWork.abandon")(
      function* (uuid: string, lease: JobLease) {
        const held = yield* sql`
          select 1 from job where id = ${lease.id} and lease_token = ${lease.token}::uuid for share
        `
        if (held.length > 0) yield* abandonObjects(sql, [userExportObject(uuid)])
      },
      sql.withTransaction,
      withDatabaseErrors
    ),
    settleAbandoned: sql`
      update user_export e set state = 4, error = ${lost}, updated_at = now()
      where e.state in (1, 2) and not exists (
        select 1 from job j
        where j.dedupe_key = 'user-export:' || e.id and j.state not in ('completed', 'failed', 'cancelled')
      ) returning e.id
    `.pipe(
      Effect.map((rows) => rows.length),
      withDatabaseErrors,
      Effect.withSpan("UserExportWork.settleAbandoned")
    )
  })
})

/** The steps of an export, as its worker takes them. Each is one transaction. */
export class UserExportWork extends Context.Service<
  UserExportWork,
  {
    /** Starts the export and returns its task. None if the export was deleted or has ended. */
    readonly begin: (
      job: ClaimedJob,
      exportId: number
    ) => Effect.Effect<Option.Option<ExportTask>, LeaseLost | DatabaseUnavailable>
    /** Must be called before the archive is stored: unless the export finishes within a day, the archive is removed. */
    readonly intend: (uuid: string) => Effect.Effect<void, DatabaseUnavailable>
    /**
     * Removes a stored archive of a failed attempt at once. Does nothing if another worker has the job by now, since it
     * may be storing an archive under the same name.
     */
    readonly abandon: (uuid: string, lease: JobLease) => Effect.Effect<void, DatabaseUnavailable>
    /** Completes the export. `announce` runs in the same transaction. */
    readonly finish: (
      task: ExportTask,
      lease: JobLease,
      archive: { readonly size: number; readonly keep: Duration.Duration },
      announce: Effect.Effect<void, DatabaseUnavailable>
    ) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /** Fails the attempt, or the export if it was the last one. The message is for the user. */
    readonly fail: (
      exportId: number,
      lease: JobLease,
      error: string,
      final: boolean
    ) => Effect.Effect<"delayed" | "failed", LeaseLost | DatabaseUnavailable>
    /** Hands the export back without counting an attempt, as on shutdown. */
    readonly release: (exportId: number, lease: JobLease) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /** Fails exports that no worker will try again, because all attempts died with their workers. Returns how many. */
    readonly settleAbandoned: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/exports/UserExportWork") {
  static readonly layer = Layer.effect(UserExportWork, make)
}
