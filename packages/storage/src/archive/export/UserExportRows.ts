import type { UserArchiveState } from "@kinora/domain/enums/UserArchiveState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Data, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import type { ObjectKey } from "../../platform/objects/ObjectKey.ts"
import { exportedFiles } from "./sections/Videos.ts"

/** Job type of an export (contract: JobType). */
export const userExportType = "create-user-export"

/** Maximum attempts per export: after that many died with their worker, it fails. */
const maxAttempts = 3

/** The stored object of an archive. */
export const userExportObject = (uuid: string): ObjectKey => ({ bucket: "user_exports", name: `${uuid}.zip` })

/** An archive as lists show it, with times in API format. */
export interface ListedExport {
  readonly id: number
  readonly uuid: string
  readonly state: UserArchiveState
  readonly size: number | null
  readonly error: string | null
  readonly createdAt: string
  readonly expiresOn: string | null
  readonly expired: boolean
}

/** A finished archive, as needed for its download. */
export interface ReadyExport {
  readonly username: string
  readonly createdAt: string
  readonly expired: boolean
}

/** The user already has an archive, finished or in progress. */
export class ExportThere extends Data.TaggedError("ExportThere")<{}> {}

/** The user was deleted. */
export class ExporterGone extends Data.TaggedError("ExporterGone")<{}> {}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard

  const request = Effect.fn("UserExportRows.request")(
    function* (userId: number, withVideoFiles: boolean) {
      const held = yield* sql`select 1 from app_user where id = ${userId} for key share`
      if (held.length === 0) return yield* new ExporterGone()
      yield* sql`delete from user_export where user_id = ${userId} and state = 4`
      const [made] = yield* sql<{ id: number; uuid: string }>`
        insert into user_export (user_id, with_video_files) values (${userId}, ${withVideoFiles})
        on conflict (user_id) where state <> 4 do nothing returning id, uuid
      `
      if (made === undefined) return yield* new ExportThere()
      yield* jobs.enqueue({
        type: userExportType,
        payload: { exportId: made.id, uuid: made.uuid },
        dedupeKey: `user-export:${made.id}`,
        maxAttempts
      })
      return made.id
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const list = Effect.fn("UserExportRows.list")(function* (userId: number) {
    return yield* sql<ListedExport>`
      select id, uuid, state, size, error, wire_time(created_at) as "createdAt", wire_time(expires_at) as "expiresOn",
        coalesce(expires_at <= now(), false) as expired
      from user_export where user_id = ${userId} order by created_at desc, id desc limit 100
    `
  }, withDatabaseErrors)

  const ready = Effect.fn("UserExportRows.ready")(function* (uuid: string) {
    const rows = yield* sql<ReadyExport>`
      select u.username::text as username, wire_time(e.created_at) as "createdAt", e.expires_at <= now() as expired
      from user_export e join app_user u on u.id = e.user_id where e.uuid = ${uuid}::uuid and e.state = 3
    `
    return Option.fromUndefinedOr(rows[0])
  }, withDatabaseErrors)

  const remove = Effect.fn("UserExportRows.remove")(function* (userId: number, exportId: number) {
    const rows = yield* sql`delete from user_export where id = ${exportId} and user_id = ${userId} returning id`
    return rows.length > 0
  }, withDatabaseErrors)

  const videoBytes = Effect.fn("UserExportRows.videoBytes")(function* (userId: number) {
    const [row] = yield* sql<{ bytes: number }>`
      select coalesce(sum(f.size), 0)::bigint as bytes
      from account a join video v on v.account_id = a.id and not v.remote
        cross join lateral (${exportedFiles(sql, sql`v.id`)}) f
      where a.user_id = ${userId}
    `
    return Number(row!.bytes)
  }, withDatabaseErrors)

  return UserExportRows.of({
    request,
    list,
    ready,
    remove,
    videoBytes,
    removeExpired: sql`delete from user_export where expires_at <= now() returning id`.pipe(
      Effect.map((rows) => rows.length),
      withDatabaseErrors,
      Effect.withSpan("UserExportRows.removeExpired")
    )
  })
})

/** Archives of users, as the users see them. */
export class UserExportRows extends Context.Service<
  UserExportRows,
  {
    /** Creates an export and its job, and removes failed ones. Returns its id. */
    readonly request: (
      userId: number,
      withVideoFiles: boolean
    ) => Effect.Effect<number, ExportThere | ExporterGone | DatabaseUnavailable>
    /** All exports of a user, newest first. */
    readonly list: (userId: number) => Effect.Effect<ReadonlyArray<ListedExport>, DatabaseUnavailable>
    /** The completed archive of this name. */
    readonly ready: (uuid: string) => Effect.Effect<Option.Option<ReadyExport>, DatabaseUnavailable>
    /** Deletes an export and schedules its archive for removal. False if the user has no export with this id. */
    readonly remove: (userId: number, exportId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Bytes of the video files that an archive of the user would contain. */
    readonly videoBytes: (userId: number) => Effect.Effect<number, DatabaseUnavailable>
    /** Deletes expired exports. Returns how many. */
    readonly removeExpired: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/exports/UserExportRows") {
  static readonly layer = Layer.effect(UserExportRows, make)
}
