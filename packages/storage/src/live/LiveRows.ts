import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { SqlError } from "effect/sql/SqlError"
import { withDatabaseErrors } from "../platform/database/Database.ts"

/** How a live is published. `dvrWindow` is in seconds. */
export interface LiveSettings {
  readonly saveReplay: boolean
  readonly replayPrivacy: number | null
  readonly permanent: boolean
  readonly latencyMode: number
  readonly dvrWindow: number
}

/** A key as it is kept. */
export interface StoredKey {
  readonly digest: Uint8Array
  readonly sealed: string
}

/** A live as it is kept. Instants are ISO 8601. */
export interface LiveRow extends LiveSettings {
  readonly sealedKey: string
  readonly schedules: ReadonlyArray<string>
}

/** What decides whether a live may be published. */
export interface PublishedLive extends LiveSettings {
  readonly videoId: number
  readonly uuid: string
  readonly privacy: number
  readonly state: number
  readonly blacklisted: boolean
  /** The owner of its channel. */
  readonly userId: number
  readonly ownerBlocked: boolean
  /** The owner's quotas in bytes, -1 for no limit. */
  readonly videoQuota: number
  readonly videoQuotaDaily: number
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

const columns = `l.save_replay as "saveReplay", l.replay_privacy as "replayPrivacy", l.permanent,
  l.latency_mode as "latencyMode", l.dvr_window as "dvrWindow"`

/** Replaces the instants at which a live is announced to begin, in the caller's transaction. */
const setSchedules = (sql: SqlClient, videoId: number, schedules: ReadonlyArray<string>) =>
  Effect.andThen(
    sql`delete from live_schedule where video_id = ${videoId}`,
    sql`insert into live_schedule (video_id, start_at)
      select ${videoId}, s::timestamptz from unnest(${schedules}::text[]) s`
  )

/** Writes the live of a new video, in the caller's transaction. */
export const addLive = (
  sql: SqlClient,
  videoId: number,
  live: LiveSettings & { readonly key: StoredKey; readonly schedules: ReadonlyArray<string> }
): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    yield* sql`
      insert into live_video (
        video_id, key_digest, sealed_key, save_replay, replay_privacy, permanent, latency_mode, dvr_window
      ) values (
        ${videoId}, decode(${hex(live.key.digest)}::text, 'hex'), ${live.key.sealed}, ${live.saveReplay},
        ${live.replayPrivacy}, ${live.permanent}, ${live.latencyMode}, ${live.dvrWindow}
      )`
    yield* setSchedules(sql, videoId, live.schedules)
  })

/** The lives of this instance. */
export class LiveRows extends Context.Service<
  LiveRows,
  {
    readonly find: (videoId: number) => Effect.Effect<Option.Option<LiveRow>, DatabaseUnavailable>
    /** The live that a key opens. */
    readonly byKey: (digest: Uint8Array) => Effect.Effect<Option.Option<PublishedLive>, DatabaseUnavailable>
    /** The same for a live that is being published. None: it was deleted, or is no live any more. */
    readonly published: (videoId: number) => Effect.Effect<Option.Option<PublishedLive>, DatabaseUnavailable>
    /** Who watches these lives now. */
    readonly viewers: (
      videoIds: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<{ readonly videoId: number; readonly viewers: number }>, DatabaseUnavailable>
    /** Replaces the settings, and the schedules when there are any. False: there is no such live. */
    readonly update: (
      videoId: number,
      settings: LiveSettings,
      schedules: ReadonlyArray<string> | undefined
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    readonly setKey: (videoId: number, key: StoredKey) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/live/LiveRows") {
  static readonly layer = Layer.effect(
    LiveRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const settings = sql.literal(columns)
      const first = <A>(rows: ReadonlyArray<A>) => Option.fromUndefinedOr(rows[0])

      const one = (which: Fragment) =>
        withDatabaseErrors(
          Effect.map(
            sql<PublishedLive>`
              select v.id as "videoId", v.uuid::text as uuid, v.privacy, v.state, u.id as "userId",
                u.blocked as "ownerBlocked", u.video_quota as "videoQuota", u.video_quota_daily as "videoQuotaDaily",
                ${settings},
                exists (select 1 from video_blacklist b where b.video_id = v.id) as blacklisted
              from live_video l join video v on v.id = l.video_id
              join account a on a.id = v.account_id join app_user u on u.id = a.user_id
              where v.is_live and ${which}`,
            first
          )
        )

      return LiveRows.of({
        find: (videoId) =>
          withDatabaseErrors(
            Effect.map(
              sql<LiveRow>`
                select l.sealed_key as "sealedKey", ${settings}, array(
                  select wire_time(s.start_at) from live_schedule s where s.video_id = l.video_id order by s.start_at
                ) as schedules
                from live_video l join video v on v.id = l.video_id where l.video_id = ${videoId} and v.is_live`,
              first
            )
          ),
        byKey: (digest) => one(sql`l.key_digest = decode(${hex(digest)}::text, 'hex')`),
        published: (videoId) => one(sql`l.video_id = ${videoId}`),
        viewers: (videoIds) =>
          withDatabaseErrors(
            sql<{ videoId: number; viewers: number }>`
              select v.id as "videoId", coalesce(n.viewers, 0) as viewers
              from video v left join video_viewers n on n.video_id = v.id
              where v.id = any(${videoIds}::integer[]) and v.is_live and v.state = 1 order by v.id`
          ),
        update: Effect.fn("LiveRows.update")(
          function* (videoId, live, schedules) {
            const changed = yield* sql`
              update live_video set save_replay = ${live.saveReplay}, replay_privacy = ${live.replayPrivacy},
                permanent = ${live.permanent}, latency_mode = ${live.latencyMode}, dvr_window = ${live.dvrWindow},
                updated_at = now()
              where video_id = ${videoId} returning video_id`
            if (changed.length === 0) return false
            if (schedules !== undefined) yield* setSchedules(sql, videoId, schedules)
            yield* sql`update video set updated_at = now() where id = ${videoId}`
            return true
          },
          sql.withTransaction,
          withDatabaseErrors
        ),
        setKey: (videoId, key) =>
          withDatabaseErrors(
            Effect.map(
              sql`
                update live_video set key_digest = decode(${hex(key.digest)}::text, 'hex'), sealed_key = ${key.sealed},
                  updated_at = now()
                where video_id = ${videoId} returning video_id`,
              (rows) => rows.length > 0
            )
          )
      })
    })
  )
}
