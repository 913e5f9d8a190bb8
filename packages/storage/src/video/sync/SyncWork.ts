import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import type { JobLease, LeaseLost } from "../../platform/jobs/Job.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import { enqueueLook, syncJobType, syncKey, type WholeChannel } from "./SyncJobs.ts"

/** One check of an external channel. */
export interface SyncTask {
  readonly syncId: number
  readonly channelId: number
  readonly externalChannelUrl: string
  readonly videoPrivacy: number
  /** Owner of the channel. */
  readonly userId: number
  readonly accountId: number
  readonly createdAt: Date
  /** Whether this is the first check. */
  readonly isFirst: boolean
  /** When a user requested all videos. Null: only new ones. */
  readonly fullWantedAt: string | null
}

export interface SyncOutcome {
  readonly succeeded: boolean
  /** For operators. */
  readonly message: string
  /** Delay until the next check. */
  readonly nextMillis: number
}

const processing = 2
const synced = 3
const failed = 4

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard

  const begin = Effect.fn("SyncWork.begin")(function* (syncId: number) {
    const rows = yield* sql<SyncTask>`
      update video_channel_sync s set state = ${processing}, updated_at = now()
      from video_channel c join account a on a.id = c.account_id join app_user u on u.id = a.user_id
      where s.id = ${syncId} and c.id = s.channel_id and not u.blocked
      returning s.id as "syncId", s.channel_id as "channelId", s.external_channel_url as "externalChannelUrl",
        s.video_privacy::integer as "videoPrivacy", u.id as "userId", a.id as "accountId", s.created_at as "createdAt",
        s.last_sync_at is null as "isFirst", s.full_wanted_at::text as "fullWantedAt"
    `
    return Option.fromNullishOr(rows[0])
  }, withDatabaseErrors)

  const stillMay = Effect.fn("SyncWork.stillMay")(function* ({ accountId, channelId, userId }: WholeChannel) {
    const rows = yield* sql`
      select 1 from video_channel c, app_user u
      where c.id = ${channelId} and u.id = ${userId} and not u.blocked and (
        c.account_id = ${accountId} or exists (
          select 1 from video_channel_collaborator k
          where k.channel_id = c.id and k.account_id = ${accountId} and k.state = 2
        )
      )
    `
    return rows.length > 0
  }, withDatabaseErrors)

  const unseen = Effect.fn("SyncWork.unseen")(function* (syncId: number, urls: ReadonlyArray<string>) {
    const rows = yield* sql<{ url: string }>`
      select u.url from unnest(${urls}::text[]) with ordinality as u (url, position)
      where not exists (
        select 1 from video_channel_sync_seen n where n.sync_id = ${syncId} and n.url_digest = md5(u.url)::uuid
      ) order by u.position
    `
    return rows.map(({ url }) => url)
  }, withDatabaseErrors)

  const markSeen = Effect.fn("SyncWork.markSeen")(function* (syncId: number, urls: ReadonlyArray<string>) {
    yield* sql`
      insert into video_channel_sync_seen (sync_id, url_digest)
      select s.id, md5(u.url)::uuid from video_channel_sync s, unnest(${urls}::text[]) as u (url) where s.id = ${syncId}
      on conflict do nothing
    `
  }, withDatabaseErrors)

  const finish = Effect.fn("SyncWork.finish")(
    function* (lease: JobLease, task: SyncTask, outcome: SyncOutcome) {
      const { message, succeeded } = outcome
      const rows = yield* sql<{ more: boolean }>`
        update video_channel_sync set state = ${succeeded ? synced : failed}, updated_at = now(),
          last_sync_at = case when ${succeeded} then now() else last_sync_at end,
          full_wanted_at = case
            when full_wanted_at = ${task.fullWantedAt}::text::timestamptz then null else full_wanted_at
          end
        where id = ${task.syncId} returning full_wanted_at is not null as more
      `
      yield* jobs.complete(lease, { succeeded, message })
      const row = rows[0]
      if (row !== undefined) yield* enqueueLook(jobs, task.syncId, row.more ? 0 : outcome.nextMillis)
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const postpone = Effect.fn("SyncWork.postpone")(
    function* (lease: JobLease, syncId: number, delayMillis: number) {
      yield* jobs.complete(lease)
      const rows = yield* sql`select 1 from video_channel_sync where id = ${syncId}`
      if (rows.length > 0) yield* enqueueLook(jobs, syncId, delayMillis)
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const ensureJobs = Effect.fn("SyncWork.ensureJobs")(function* (withinMillis: number) {
    const rows = yield* sql<{ id: number; fraction: number }>`
      select s.id, random() as fraction from video_channel_sync s where not exists (
        select 1 from job j
        where j.dedupe_key = ${syncKey(0).slice(0, -1)}::text || s.id
          and j.state not in ('completed', 'failed', 'cancelled')
      )
    `
    for (const { fraction, id } of rows) yield* enqueueLook(jobs, id, Math.floor(withinMillis * fraction))
    return rows.length
  }, withDatabaseErrors)

  const hasten = Effect.fn("SyncWork.hasten")(function* () {
    const rows = yield* sql`
      update job set run_at = now(), state = 'waiting', updated_at = now()
      where type = ${syncJobType} and state = 'delayed' and starts_with(dedupe_key, ${syncKey(0).slice(0, -1)})
      returning id`
    return rows.length
  }, withDatabaseErrors)

  return SyncWork.of({ hasten: hasten(), begin, stillMay, unseen, markSeen, finish, postpone, ensureJobs })
})

/** The steps of a check, as its worker takes them. */
export class SyncWork extends Context.Service<
  SyncWork,
  {
    /** Returns the task. None if the synchronisation was removed or its user is blocked. */
    readonly begin: (syncId: number) => Effect.Effect<Option.Option<SyncTask>, DatabaseUnavailable>
    /** Whether the user who requested a whole channel still works on our channel and is not blocked. */
    readonly stillMay: (wanted: WholeChannel) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Those of the URLs that no earlier check has marked, in their order. */
    readonly unseen: (
      syncId: number,
      urls: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
    readonly markSeen: (syncId: number, urls: ReadonlyArray<string>) => Effect.Effect<void, DatabaseUnavailable>
    /** Completes the check and schedules the next one, in one transaction. */
    readonly finish: (
      lease: JobLease,
      task: SyncTask,
      outcome: SyncOutcome
    ) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /** Ends a check that could not run. The next one comes later, if the synchronisation still exists. */
    readonly postpone: (
      lease: JobLease,
      syncId: number,
      delayMillis: number
    ) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /**
     * Schedules a check within this time for every synchronisation that has none, because workers crashed on it.
     * Returns how many.
     */
    readonly ensureJobs: (withinMillis: number) => Effect.Effect<number, DatabaseUnavailable>
    /** Has every scheduled check run now. Returns how many. */
    readonly hasten: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/syncs/SyncWork") {
  static readonly layer = Layer.effect(SyncWork, make)
}
