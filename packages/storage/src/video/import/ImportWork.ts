import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { QuotaReached } from "@kinora/domain/errors/UploadErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { videoTags } from "../../people/tags/VideoTags.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { type ClaimedJob, type JobLease, LeaseLost, type NewJob } from "../../platform/jobs/Job.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import { lockQuotas, quotaUsage } from "../../people/user/QuotaUsage.ts"
import type { NewSource, NewThumbnail } from "../write/NewVideo.ts"
import { usingNewObjects } from "../write/NewObjects.ts"
import type { ObjectName } from "../../platform/objects/ObjectIntents.ts"
import { addSource, addTags, setThumbnails } from "../write/VideoDetails.ts"
import { lockVideo } from "../write/VideoFiles.ts"
import type { ImportChoices } from "../write/NewImport.ts"

/** An import in progress. */
export interface ImportTask {
  readonly importId: number
  readonly videoId: number
  readonly uuid: string
  readonly targetUrl: string | null
  readonly magnetUri: string | null
  readonly torrent: Uint8Array | null
  readonly choices: ImportChoices
  /** Whether its user was blocked meanwhile, or no longer works on the channel. */
  readonly forbidden: boolean
  /** Bytes left in the quota of the channel's owner. Undefined: no limit. */
  readonly room: number | undefined
  /** Types of the thumbnails the video has: 1 miniature, 2 preview. */
  readonly thumbnailTypes: ReadonlyArray<number>
}

/** Metadata from the source. It does not replace what the user entered. */
export interface ImportedFacts {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly language?: string | undefined
  readonly nsfw?: boolean | undefined
  readonly tags?: ReadonlyArray<string> | undefined
  /** ISO 8601 in UTC. */
  readonly originallyPublishedAt?: string | undefined
  readonly chapters?: ReadonlyArray<{ readonly timecode: number; readonly title: string }> | undefined
}

/** A fetched file, with its objects in the store. */
export interface Imported {
  readonly task: ImportTask
  readonly lease: JobLease
  readonly facts: ImportedFacts
  readonly source: NewSource
  /** Whole seconds. */
  readonly duration: number
  readonly aspectRatio: number | null
  readonly thumbnails: ReadonlyArray<NewThumbnail>
  /** The follow-up job. */
  readonly next: NewJob
}

const toTranscode = 2
const toImport = 3
const toImportFailed = 12
const lost = "The import was begun again and again, and never came to an end"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard
  const automaticTags = videoTags(sql)

  const holdImport = Effect.fnUntraced(function* (importId: number) {
    const [row] = yield* sql<{ videoId: number | null }>`
      select video_id as "videoId" from video_import where id = ${importId}
    `
    if (typeof row?.videoId === "number") yield* lockVideo(sql, row.videoId)
    yield* sql`select 1 from video_import where id = ${importId} for update`
  })

  const begin = Effect.fn("ImportWork.begin")(
    function* (job: ClaimedJob, importId: number) {
      yield* holdImport(importId)
      const held = yield* sql`
        select 1 from job where id = ${job.id} and lease_token = ${job.lease.token}::uuid for key share
      `
      if (held.length === 0) return yield* new LeaseLost({ jobId: job.id })
      const [row] = yield* sql<
        Omit<ImportTask, "room"> & { userId: number; quota: number; quotaDaily: number; torrentText: string | null }
      >`
        with begun as (
          update video_import set state = 6, attempts = attempts + 1, error = null, updated_at = now()
          where id = ${importId} and state in (1, 6) returning *
        )
        select i.id as "importId", v.id as "videoId", v.uuid, i.target_url as "targetUrl", i.magnet_uri as "magnetUri",
          encode(i.torrent, 'base64') as "torrentText", i.payload as choices, u.id as "userId",
          u.video_quota as quota, u.video_quota_daily as "quotaDaily",
          asker.blocked or (i.channel_sync_id is null and asker.id <> u.id and not exists (
            select 1 from video_channel_collaborator k join account ka on ka.id = k.account_id
            where k.channel_id = v.channel_id and k.state = 2 and ka.user_id = asker.id
          )) as forbidden,
          array(select t.type::integer from thumbnail t where t.video_id = v.id order by t.type) as "thumbnailTypes"
        from begun i join video v on v.id = i.video_id join account a on a.id = v.account_id
          join app_user u on u.id = a.user_id join app_user asker on asker.id = i.user_id
      `
      if (row === undefined) return Option.none<ImportTask>()
      const { quota, quotaDaily, torrentText, userId, ...task } = row
      const { reserved, reservedDaily, used, usedDaily } = yield* quotaUsage(sql, userId, null)
      const rooms = [
        ...(quota === -1 ? [] : [quota - used - reserved]),
        ...(quotaDaily === -1 ? [] : [quotaDaily - usedDaily - reservedDaily])
      ]
      return Option.some<ImportTask>({
        ...task,
        torrent: torrentText === null ? null : Buffer.from(torrentText, "base64"),
        room: rooms.length === 0 ? undefined : Math.max(0, Math.min(...rooms))
      })
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  /** Checks the actual size against the quotas of the channel's owner, who may have changed meanwhile. */
  const charge = Effect.fnUntraced(function* (videoId: number, size: number) {
    const [payer] = yield* sql<{ id: number; quota: number; quotaDaily: number }>`
      select u.id, u.video_quota as quota, u.video_quota_daily as "quotaDaily"
      from video v join account a on a.id = v.account_id join app_user u on u.id = a.user_id where v.id = ${videoId}
    `
    if (payer === undefined) return
    const { reserved, reservedDaily, used, usedDaily } = yield* quotaUsage(sql, payer.id, null)
    if (payer.quota !== -1 && used + reserved + size > payer.quota) return yield* new QuotaReached({})
    if (payer.quotaDaily !== -1 && usedDaily + reservedDaily + size > payer.quotaDaily) {
      return yield* new QuotaReached({ daily: true })
    }
  })

  const fillIn = Effect.fnUntraced(function* ({ aspectRatio, duration, facts, task }: Imported) {
    const { choices, videoId } = task
    const name = facts.name ?? null
    yield* sql`
      update video set state = ${toTranscode}, duration = ${duration}, aspect_ratio = ${aspectRatio},
        name = case when name = ${choices.provisionalName}::text then coalesce(${name}::text, name) else name end,
        description = coalesce(description, ${facts.description ?? null}::text),
        language = coalesce(language, ${facts.language ?? null}::text),
        nsfw = nsfw or ${facts.nsfw === true && !choices.nsfwGiven},
        originally_published_at = coalesce(
          originally_published_at, ${facts.originallyPublishedAt ?? null}::text::timestamptz
        ),
        input_file_updated_at = now(), updated_at = now()
      where id = ${videoId}
    `
    const tagged = yield* sql`select 1 from video_tag where video_id = ${videoId} limit 1`
    if (tagged.length === 0) yield* addTags(sql, videoId, facts.tags ?? [])
    if (facts.chapters === undefined || facts.chapters.length === 0) return
    yield* sql`
      insert into video_chapter (video_id, timecode, title)
      select v.id, c.timecode, c.title
      from video v, json_to_recordset(${JSON.stringify(facts.chapters)}::text::json) as c (timecode integer, title text)
      where v.id = ${videoId} and not v.chapters_by_hand and c.timecode < ${duration}
      on conflict do nothing
    `
    yield* sql`
      update video v set chapters_by_hand = true
      where v.id = ${videoId} and exists (select 1 from video_chapter c where c.video_id = v.id)
    `
  })

  const finish = Effect.fn("ImportWork.finish")(
    function* (imported: Imported) {
      const { lease, source, task, thumbnails } = imported
      yield* lockQuotas(sql)
      const video = yield* lockVideo(sql, task.videoId)
      const [asked] = yield* sql<{ userId: number }>`
        select user_id as "userId" from video_import where id = ${task.importId} for update`
      yield* jobs.complete(lease)
      if (video === undefined) return yield* new LeaseLost({ jobId: lease.id })
      yield* charge(task.videoId, source.size)
      yield* fillIn(imported)
      if (asked !== undefined) yield* automaticTags.settle([task.videoId], asked)
      yield* addSource(sql, task.videoId, source)
      yield* setThumbnails(sql, task.videoId, thumbnails, 0)
      yield* sql`update video_import set state = 2, updated_at = now() where id = ${task.importId}`
      yield* jobs.enqueue(imported.next)
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const fail = Effect.fn("ImportWork.fail")(
    function* (importId: number, lease: JobLease, error: string) {
      yield* holdImport(importId)
      yield* jobs.fail(lease, error, { final: true })
      const rows = yield* sql<{ videoId: number | null }>`
        update video_import set state = 3, error = ${error}, updated_at = now() where id = ${importId}
        returning video_id as "videoId"
      `
      yield* sql`
        update video set state = ${toImportFailed}, updated_at = now()
        where id = ${rows[0]?.videoId ?? null} and state = ${toImport}
      `
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const release = Effect.fn("ImportWork.release")(
    function* (importId: number, lease: JobLease) {
      yield* holdImport(importId)
      yield* jobs.release(lease)
      yield* sql`
        update video_import set state = 1, attempts = greatest(0, attempts - 1), updated_at = now()
        where id = ${importId} and state = 6
      `
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const settleAbandoned = Effect.gen(function* () {
    const rows = yield* sql<{ id: number }>`
      select i.id from video_import i where i.state in (1, 6) and not exists (
        select 1 from job j
        where j.dedupe_key = 'video-import:' || i.id and j.state not in ('completed', 'failed', 'cancelled')
      ) order by i.video_id, i.id limit 100
    `
    for (const { id } of rows) {
      yield* holdImport(id)
      yield* sql`
        with ended as (
          update video_import set state = 3, error = ${lost}, updated_at = now() where id = ${id} and state in (1, 6)
          returning video_id
        )
        update video v set state = ${toImportFailed}, updated_at = now() from ended e
        where v.id = e.video_id and v.state = ${toImport}
      `
    }
    return rows.length
  }).pipe(sql.withTransaction, withDatabaseErrors, Effect.withSpan("ImportWork.settleAbandoned"))

  const using: ImportWork["Service"]["using"] = (objects, work) => usingNewObjects(sql, objects, work)

  return ImportWork.of({ begin, finish, fail, release, settleAbandoned, using })
})

/** The steps of an import, as its worker takes them. Each is one transaction. */
export class ImportWork extends Context.Service<
  ImportWork,
  {
    /** Counts an attempt and returns the task. None if the import has ended meanwhile. */
    readonly begin: (
      job: ClaimedJob,
      importId: number
    ) => Effect.Effect<Option.Option<ImportTask>, LeaseLost | DatabaseUnavailable>
    /** Attaches the file to the video, if it fits into the quotas, and completes the import. */
    readonly finish: (imported: Imported) => Effect.Effect<void, QuotaReached | LeaseLost | DatabaseUnavailable>
    /** Fails the import. The message is for the user. */
    readonly fail: (
      importId: number,
      lease: JobLease,
      error: string
    ) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /** Hands the import back without counting an attempt, as on shutdown. */
    readonly release: (importId: number, lease: JobLease) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /** Fails imports that no worker will try again, because all attempts died with their workers. Returns how many. */
    readonly settleAbandoned: Effect.Effect<number, DatabaseUnavailable>
    /** Runs work that stores these objects and then calls `finish`. If it fails, they are removed. */
    readonly using: <A, E, R>(
      objects: ReadonlyArray<ObjectName>,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | DatabaseUnavailable, R>
  }
>()("@kinora/storage/imports/ImportWork") {
  static readonly layer = Layer.effect(ImportWork, make)
}
