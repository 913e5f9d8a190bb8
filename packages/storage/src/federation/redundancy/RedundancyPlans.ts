import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { followedByInstance } from "../follow/FollowedByInstance.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import type { Strategy } from "./RedundancyRows.ts"

/** Contract JobType. */
export const redundancyJobType = "video-redundancy"

/** What a job of the type carries. Bytes; `lifetimeMillis` null: until somebody removes it. */
export interface RedundancyJob {
  readonly videoId: number
  readonly strategy: Strategy
  readonly size: number
  readonly lifetimeMillis: number | null
}

/** At most one job a video. */
export const redundancyKey = (videoId: number): string => `redundancy ${videoId}`

export type AutomaticStrategy = Exclude<Strategy, "manual">

/** Whose copies of our videos are taken (`remote_redundancy.videos.accept_from`). */
export type AcceptedFrom = "anybody" | "nobody" | "followings"

/** Which copies are to be made and which may go. */
export class RedundancyPlans extends Context.Service<
  RedundancyPlans,
  {
    /** Bytes of the copies of a strategy, those that are being made included. */
    readonly used: (strategy: AutomaticStrategy) => Effect.Effect<number, DatabaseUnavailable>
    /**
     * Videos of allowed instances that are not copied, the best by the strategy first; none larger than the strategy has
     * room for in all.
     *
     * @param days that count for trends
     */
    readonly wanted: (
      strategy: AutomaticStrategy,
      options: { readonly maxBytes: number; readonly minViews: number; readonly days: number; readonly count: number }
    ) => Effect.Effect<ReadonlyArray<{ readonly id: number; readonly size: number }>, DatabaseUnavailable>
    /** Copies of a strategy whose time is over, the oldest first. */
    readonly expired: (
      strategy: AutomaticStrategy
    ) => Effect.Effect<ReadonlyArray<{ readonly id: number; readonly size: number }>, DatabaseUnavailable>
    /** Keeps a copy for so long from now on, and says so. */
    readonly extend: (redundancyId: number, lifetimeMillis: number) => Effect.Effect<void, DatabaseUnavailable>
    /** Copies of strategies that are none of these. */
    readonly ofOthers: (
      strategies: ReadonlyArray<AutomaticStrategy>
    ) => Effect.Effect<ReadonlyArray<number>, DatabaseUnavailable>
    /** Forgets copies others kept for a time that is over, and those that are not taken any more. */
    readonly forgetUnwelcome: (from: AcceptedFrom) => Effect.Effect<void, DatabaseUnavailable>
    /** Whether a copy of the video is about to be made. */
    readonly isPlanned: (videoId: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/redundancy/RedundancyPlans") {
  static readonly layer = Layer.effect(
    RedundancyPlans,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unfinished = sql`j.type = ${redundancyJobType} and j.state not in ('completed', 'failed', 'cancelled')`

      return RedundancyPlans.of({
        used: (strategy) =>
          Effect.map(
            sql<{ bytes: number }>`
              select (
                coalesce((select sum(r.size) from video_redundancy r where r.strategy = ${strategy}), 0)
                + coalesce((
                  select sum((j.payload ->> 'size')::bigint) from job j
                  where ${unfinished} and j.payload ->> 'strategy' = ${strategy}
                ), 0)
              )::float8 as bytes`,
            ([row]) => row!.bytes
          ).pipe(withDatabaseErrors),

        wanted: Effect.fn("RedundancyPlans.wanted")(function* (strategy, { count, days, maxBytes, minViews }) {
          const recent = sql`coalesce((
            select sum(d.views) from video_view_day d
            where d.video_id = v.id and d.day > (now() at time zone 'utc')::date - ${days}::integer
          ), 0)`
          const order =
            strategy === "most-views"
              ? sql`v.views desc`
              : strategy === "trending"
                ? sql`${recent} desc, v.views desc`
                : sql`v.published_at desc`
          return yield* sql<{ id: number; size: number }>`
            select v.id, f.size from server s
              join actor a on a.server_id = s.id and a.type = 'Group' join video_channel h on h.actor_id = a.id
              join video v on v.channel_id = h.id join streaming_playlist p on p.video_id = v.id,
              lateral (
                select coalesce(sum(f.size), 0)::float8 as size from video_file f where f.streaming_playlist_id = p.id
              ) f
            where s.redundancy_allowed and v.remote and v.privacy = 1 and v.state = 1 and not v.is_live
              and p.playlist_url is not null and v.views >= ${minViews} and f.size between 1 and ${maxBytes}
              and not exists (select 1 from video_blacklist b where b.video_id = v.id)
              and not exists (select 1 from video_redundancy r where r.video_id = v.id and r.strategy is not null)
              and not exists (select 1 from job j where j.dedupe_key = 'redundancy ' || v.id and ${unfinished})
              -- What failed is not tried again at once.
              and not exists (
                select 1 from job j where j.video_id = v.id and j.type = ${redundancyJobType} and j.state = 'failed'
                  and j.finished_at > now() - interval '1 day'
              )
            order by ${order}, v.id desc limit ${count}`
        }, withDatabaseErrors),

        expired: (strategy) =>
          withDatabaseErrors(sql<{ id: number; size: number }>`
            select r.id, r.size::float8 as size from video_redundancy r
            where r.strategy = ${strategy} and r.expires_at < now() order by r.expires_at, r.id`),

        extend: Effect.fn("RedundancyPlans.extend")(function* (redundancyId, lifetimeMillis) {
          yield* sql`
              update video_redundancy set expires_at = now() + make_interval(secs => ${lifetimeMillis}::float8 / 1000),
                updated_at = now()
              where id = ${redundancyId} and strategy is not null`
        }, withDatabaseErrors),

        ofOthers: (strategies) =>
          Effect.map(
            sql<{ id: number }>`
              select id from video_redundancy
              where strategy is not null and strategy <> 'manual' and strategy <> all(${strategies}::text[])`,
            (rows) => rows.map(({ id }) => id)
          ).pipe(withDatabaseErrors),

        forgetUnwelcome: Effect.fn("RedundancyPlans.forgetUnwelcome")(function* (from) {
          const unwelcome = {
            anybody: sql`false`,
            nobody: sql`true`,
            followings: sql`not exists (
              select from actor k where k.id = r.actor_id and ${followedByInstance(sql, sql`k.server_id`)}
            )`
          }[from]
          yield* sql`
            delete from video_redundancy r where r.strategy is null and (r.expires_at < now() or ${unwelcome})`
        }, withDatabaseErrors),

        isPlanned: (videoId) =>
          Effect.map(
            sql`select 1 from job j where j.dedupe_key = ${redundancyKey(videoId)} and ${unfinished}`,
            (rows) => rows.length > 0
          ).pipe(withDatabaseErrors)
      })
    })
  )
}
