import { RateLimited } from "@kinora/domain/errors/RequestErrors"
import { type DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { QuotaReached } from "@kinora/domain/errors/UploadErrors"
import { Context, Data, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { storyboardType } from "../work/VideoWork.ts"
import { lockQuotas, quotaUsage } from "../../people/user/QuotaUsage.ts"
import type { NewUploadSession, UploadHolder, UploadLimits, UploadSession, UploadSize } from "./UploadSession.ts"

const retryAfterSeconds = 60

/** Bytes that will be freed, and whether they count in the daily quota. */
interface Released {
  readonly bytes: number
  readonly recent: boolean
}

const nothing: Released = { bytes: 0, recent: false }

/** The uploading user, or the owner of the quota, was deleted meanwhile. */
class UploaderGone extends Data.TaggedError("UploaderGone")<{}> {}

type Refused = UploaderGone | QuotaReached | InsufficientStorage | RateLimited | DatabaseUnavailable

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  /**
   * Bytes that a video frees when its stored source is replaced. Renditions free nothing: they are used until the new
   * ones exist. If there are several uploads for one video, only one may count on these bytes.
   */
  const releasedBy = Effect.fnUntraced(function* (videoId: number, except: string | null) {
    const [row] = yield* sql<Released>`
      select coalesce((
          select sum(s.size) from video_source s where s.video_id = v.id and s.filename is not null and not exists (
            select 1 from upload_session u where u.video_id = v.id and u.id is distinct from ${except}::text
              and u.released > 0 and u.state <> 'done' and u.expires_at > now()
          )
        ), 0)::bigint as bytes,
        greatest(v.created_at, v.input_file_updated_at) > now() - interval '24 hours' as recent
      from video v where v.id = ${videoId}
    `
    return row ?? nothing
  })

  /**
   * Checks that `size` bytes fit in addition to what open uploads still need. `except` is the upload itself. Returns
   * the bytes that will be freed for it.
   */
  const fits = Effect.fnUntraced(function* (
    { payerId, size, userId, videoId }: Omit<UploadSize, "id">,
    limits: UploadLimits,
    except: string | null
  ) {
    yield* lockQuotas(sql)
    const people = new Set([userId, payerId])
    const held = yield* sql`select 1 from app_user where ${sql.in("id", [...people])} order by id for key share`
    if (held.length < people.size) return yield* new UploaderGone()
    const { reserved, reservedDaily, used, usedDaily } = yield* quotaUsage(sql, payerId, except)
    const released = videoId === undefined ? nothing : yield* releasedBy(videoId, except)
    const more = Math.max(0, size - released.bytes)
    const moreDaily = Math.max(0, size - (released.recent ? released.bytes : 0))
    if (limits.quota !== -1 && used + reserved + more > limits.quota) return yield* new QuotaReached({})
    if (limits.quotaDaily !== -1 && usedDaily + reservedDaily + moreDaily > limits.quotaDaily) {
      return yield* new QuotaReached({ daily: true })
    }
    const [others] = yield* sql<{ outstanding: number; mine: number }>`
      select coalesce(sum(size - received) filter (where id is distinct from ${except}::text), 0)::bigint as outstanding,
        count(*) filter (where user_id = ${userId} and id is distinct from ${except}::text) as mine
      from upload_session where state <> 'done' and expires_at > now()
    `
    const arrived =
      except === null ? 0 : (yield* find(except)).pipe(Option.match({ onNone: () => 0, onSome: (s) => s.received }))
    if (others!.outstanding + size - arrived > limits.diskFree) return yield* new InsufficientStorage()
    if (others!.mine >= limits.sessions) return yield* new RateLimited({ retryAfterSeconds })
    return released.bytes
  })

  const find = Effect.fnUntraced(function* (id: string) {
    const rows = yield* sql<UploadSession>`
      select id, user_id as "userId", payer_id as "payerId", kind, video_id as "videoId", filename, size, received, metadata,
        state, result
      from upload_session where id = ${id} and expires_at > now()
    `
    return Option.fromNullishOr(rows[0])
  })

  const open = Effect.fn("UploadSessions.open")(
    function* (session: NewUploadSession, limits: UploadLimits) {
      const released = yield* fits(session, limits, null)
      const videoId = session.videoId ?? null
      const kind = session.kind ?? (videoId === null ? "video" : "replace")
      yield* sql`
      insert into upload_session (
        id, user_id, payer_id, video_id, kind, filename, content_type, size, released, metadata, expires_at
      ) values (
        ${session.id}, ${session.userId}, ${session.payerId}, ${videoId}, ${kind},
        ${session.filename}, ${session.contentType}, ${session.size}, ${released},
        ${JSON.stringify(session.metadata)}::text::jsonb, now() + make_interval(secs => ${session.lifetimeSeconds})
      )
    `
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const grow = Effect.fn("UploadSessions.grow")(
    function* (session: UploadSize, limits: UploadLimits) {
      const released = yield* fits(session, limits, session.id)
      yield* sql`
        update upload_session set size = ${session.size}, payer_id = ${session.payerId}, released = ${released},
          updated_at = now()
        where id = ${session.id}
      `
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const acknowledge = Effect.fn("UploadSessions.acknowledge")(function* (
    id: string,
    received: number,
    lifetimeSeconds: number,
    holder: string | null = null
  ) {
    yield* sql`
      update upload_session
      set received = ${received}, updated_at = now(), expires_at = now() + make_interval(secs => ${lifetimeSeconds})
      where id = ${id} and state = 'open' and (held_by is null or held_by = ${holder}::uuid)
    `
  }, withDatabaseErrors)

  const renew = Effect.fn("UploadSessions.renew")(function* (id: string, lifetimeSeconds: number) {
    yield* sql`
      update upload_session set expires_at = now() + make_interval(secs => ${lifetimeSeconds})
      where id = ${id} and state = 'open'
    `
  }, withDatabaseErrors)

  const findSame: UploadSessions["Service"]["findSame"] = Effect.fn("UploadSessions.findSame")(function* (session) {
    const rows = yield* sql<{ id: string }>`
      select id from upload_session
      where user_id = ${session.userId} and kind = 'video' and state = 'open' and expires_at > now()
        and filename = ${session.filename} and content_type = ${session.contentType} and size = ${session.size}
        and metadata -> 'fields' = ${JSON.stringify(session.fields)}::text::jsonb
      order by created_at desc limit 1
    `
    return Option.map(Option.fromUndefinedOr(rows[0]), ({ id }) => id)
  }, withDatabaseErrors)

  const remove = Effect.fn("UploadSessions.remove")(function* (id: string) {
    const rows = yield* sql`delete from upload_session where id = ${id} and state = 'open' returning id`
    return rows.length > 0
  }, withDatabaseErrors)

  return UploadSessions.of({
    open,
    grow,
    acknowledge,
    renew,
    remove,
    findSame,
    find: Effect.fn("UploadSessions.find")(find, withDatabaseErrors),
    removeExpired: sql<{ id: string }>`
      delete from upload_session u where expires_at <= now() and not exists (
        select 1 from job j
        where j.video_id = u.result_video_id and j.type <> ${storyboardType}
          and j.state not in ('completed', 'failed', 'cancelled')
      ) returning id
    `.pipe(
      Effect.map((rows) => rows.map((row) => row.id)),
      withDatabaseErrors,
      Effect.withSpan("UploadSessions.removeExpired")
    ),
    removeHeld: Effect.fn("UploadSessions.removeHeld")(function* ({ node, run }) {
      const rows = yield* sql<{ id: string }>`
        delete from upload_session where state = 'open' and metadata -> 'holder' ->> 'node' = ${node}
          and metadata -> 'holder' ->> 'run' <> ${run} returning id`
      return rows.map((row) => row.id)
    }, withDatabaseErrors),
    ids: sql<{ id: string }>`select id from upload_session`.pipe(
      Effect.map((rows) => new Set(rows.map((row) => row.id))),
      withDatabaseErrors,
      Effect.withSpan("UploadSessions.ids")
    )
  })
})

/**
 * Uploads in progress. A row reserves quota and disk space until it becomes a video, is removed or expires. Its bytes
 * are in a file named by its id.
 */
export class UploadSessions extends Context.Service<
  UploadSessions,
  {
    /** Reserves space for an upload, or refuses it. */
    readonly open: (session: NewUploadSession, limits: UploadLimits) => Effect.Effect<void, Refused>
    /** Updates the size or the payer of an upload, if they were unknown at its start. */
    readonly grow: (session: UploadSize, limits: UploadLimits) => Effect.Effect<void, Refused>
    /** An upload that has not expired. */
    readonly find: (id: string) => Effect.Effect<Option.Option<UploadSession>, DatabaseUnavailable>
    /** Id of an unfinished upload of a new video by this user with identical data. */
    readonly findSame: (
      session: Pick<NewUploadSession, "userId" | "filename" | "contentType" | "size"> & { readonly fields: unknown }
    ) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
    /**
     * Records how many bytes are safely on disk, and extends the lifetime of the upload. `holder`: the request that writes,
     * where several could (`UploadHolds`); one that was replaced records nothing.
     */
    readonly acknowledge: (
      id: string,
      received: number,
      lifetimeSeconds: number,
      holder?: string
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** Extends the lifetime of an unfinished upload. */
    readonly renew: (id: string, lifetimeSeconds: number) => Effect.Effect<void, DatabaseUnavailable>
    /** Cancels an unfinished upload. False if there is none. */
    readonly remove: (id: string) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Deletes expired uploads, except finished ones whose video is still being processed, and returns their ids. */
    readonly removeExpired: Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
    /** Deletes the unfinished forms that earlier runs of a node were receiving, and returns their ids. */
    readonly removeHeld: (holder: UploadHolder) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
    /** Ids of all uploads: files with other names are orphans. */
    readonly ids: Effect.Effect<ReadonlySet<string>, DatabaseUnavailable>
  }
>()("@kinora/storage/uploads/UploadSessions") {
  static readonly layer = Layer.effect(UploadSessions, make)
}
