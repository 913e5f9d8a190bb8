import { RateLimited } from "@kinora/domain/errors/RequestErrors"
import { type DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { QuotaReached } from "@kinora/domain/errors/UploadErrors"
import { Context, Data, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { lockQuotas, quotaUsage } from "../../people/user/QuotaUsage.ts"
import type { NewUploadSession, UploadLimits, UploadSession, UploadSize } from "./UploadSession.ts"

const retryAfterSeconds = 60

/** Bytes that come back, and whether they were counted as those of the last 24 hours. */
interface Released {
  readonly bytes: number
  readonly recent: boolean
}

const nothing: Released = { bytes: 0, recent: false }

/** Who uploads, or whose quota it takes, was deleted meanwhile. */
class UploaderGone extends Data.TaggedError("UploaderGone")<{}> {}

type Refused = UploaderGone | QuotaReached | InsufficientStorage | RateLimited | DatabaseUnavailable

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  /**
   * What a video gives back when another source takes the place of the one that is kept. Renditions give nothing back:
   * they stand until there are new ones. Of several uploads for one video a single one counts on it.
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
   * Checks that `size` bytes fit besides everything that open uploads still need; `except` is the upload asked for. Gives
   * the bytes that come back for them.
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
    lifetimeSeconds: number
  ) {
    yield* sql`
      update upload_session
      set received = ${received}, updated_at = now(), expires_at = now() + make_interval(secs => ${lifetimeSeconds})
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
    remove,
    findSame,
    find: Effect.fn("UploadSessions.find")(find, withDatabaseErrors),
    removeExpired: sql<{ id: string }>`
      delete from upload_session u where expires_at <= now() and not exists (
        select 1 from job j
        where j.video_id = u.result_video_id and j.type <> 'generate-video-storyboard'
          and j.state not in ('completed', 'failed', 'cancelled')
      ) returning id
    `.pipe(
      Effect.map((rows) => rows.map((row) => row.id)),
      withDatabaseErrors,
      Effect.withSpan("UploadSessions.removeExpired")
    ),
    ids: sql<{ id: string }>`select id from upload_session`.pipe(
      Effect.map((rows) => new Set(rows.map((row) => row.id))),
      withDatabaseErrors,
      Effect.withSpan("UploadSessions.ids")
    )
  })
})

/**
 * Uploads in progress. A row reserves quota and disk until it becomes a video, is removed or expires; its bytes lie in a
 * file named after its id.
 */
export class UploadSessions extends Context.Service<
  UploadSessions,
  {
    /** Reserves room for an upload, or refuses it. */
    readonly open: (session: NewUploadSession, limits: UploadLimits) => Effect.Effect<void, Refused>
    /** Says anew how large an upload is, or who pays for it, where that was not known at its beginning. */
    readonly grow: (session: UploadSize, limits: UploadLimits) => Effect.Effect<void, Refused>
    /** An upload that has not expired. */
    readonly find: (id: string) => Effect.Effect<Option.Option<UploadSession>, DatabaseUnavailable>
    /** Id of an unfinished upload of a new video by this user of which all was said alike. */
    readonly findSame: (
      session: Pick<NewUploadSession, "userId" | "filename" | "contentType" | "size"> & { readonly fields: unknown }
    ) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
    /** Notes how many bytes are safely on disk, and lets the upload live on. */
    readonly acknowledge: (
      id: string,
      received: number,
      lifetimeSeconds: number
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** Gives an unfinished upload up; false when there is none. */
    readonly remove: (id: string) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Deletes what has expired, finished uploads whose video is still worked on excepted, and gives the ids. */
    readonly removeExpired: Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
    /** Ids of all uploads: files of other names are orphans. */
    readonly ids: Effect.Effect<ReadonlySet<string>, DatabaseUnavailable>
  }
>()("@kinora/storage/uploads/UploadSessions") {
  static readonly layer = Layer.effect(UploadSessions, make)
}
