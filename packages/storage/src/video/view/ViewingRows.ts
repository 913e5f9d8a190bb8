import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** A viewer's report with the current position. */
export interface ViewReport {
  readonly videoId: number
  /**
   * Keyed hashes of the viewer and of the address, each combined with the video, in hexadecimal: they do not reveal the
   * viewer, and cannot be matched between videos.
   */
  readonly viewer: string
  readonly address: string
  /** Seconds from the start of the video. */
  readonly position: number
  /** Whether the viewer jumped there. */
  readonly sought: boolean
  /** Milliseconds since the report arrived: times come from the database's clock, which nodes share. */
  readonly age: number
  readonly client: string | null
  readonly device: string | null
  readonly operatingSystem: string | null
}

/** Rules for sessions and views. */
export interface ViewingRules {
  /** A session ends after this many seconds without a report. */
  readonly sessionSeconds: number
  /** Seconds of the video that must have been watched for a view; for a shorter video, all but its last two. */
  readonly countAfterSeconds: number
  /** Maximum open sessions of a video per address. Further ones are ignored. */
  readonly perAddress: number
}

/** The data that a position is validated against. */
export interface ViewTarget {
  /** Seconds; 0 if unknown. */
  readonly duration: number
  readonly isLive: boolean
}

/** Sessions of viewers: their reports and their end. */
export class ViewingRows extends Context.Service<
  ViewingRows,
  {
    readonly target: (videoId: number) => Effect.Effect<Option.Option<ViewTarget>, DatabaseUnavailable>
    /**
     * Stores reports, at most one per viewer of a video. Reports on deleted videos are ignored; those on remote videos
     * are sent to their instance. A repeated report changes nothing.
     */
    readonly record: (
      reports: ReadonlyArray<ViewReport>,
      rules: ViewingRules
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** Ends sessions without a report for this many seconds, and removes the viewer's hashes from them. */
    readonly end: (sessionSeconds: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/views/ViewingRows") {
  static readonly layer = Layer.effect(
    ViewingRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const target = Effect.fnUntraced(function* (videoId: number) {
        const rows = yield* sql<ViewTarget>`select duration, is_live as "isLive" from video where id = ${videoId}`
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const end = Effect.fn("ViewingRows.end")(function* (sessionSeconds: number) {
        yield* sql`
          with ended as (
            select id from video_viewing
            where viewer is not null and seen_at < now() - ${sessionSeconds}::float8 * interval '1 second'
            for update skip locked
          )
          update video_viewing v set viewer = null, address = null from ended e where v.id = e.id`
      }, withDatabaseErrors)

      const record = Effect.fn("ViewingRows.record")(function* (
        reports: ReadonlyArray<ViewReport>,
        { countAfterSeconds, perAddress, sessionSeconds }: ViewingRules
      ) {
        const values = JSON.stringify(reports)
        const incoming = sql`
          select r."videoId" as video_id, decode(r.viewer, 'hex') as viewer, decode(r.address, 'hex') as address,
            r.position, r.sought, now() - r.age * interval '1 millisecond' as seen_at, r.client, r.device,
            r."operatingSystem" as operating_system
          from jsonb_to_recordset(${values}::text::jsonb) as r (
            "videoId" integer, viewer text, address text, position integer, sought boolean, age float8, client text,
            device text, "operatingSystem" text
          )`
        yield* sql`
          with incoming as materialized (${incoming}), ended as (
            select o.id from incoming i join video_viewing o on o.viewer = i.viewer
            where o.seen_at < i.seen_at - ${sessionSeconds}::float8 * interval '1 second'
            for update of o skip locked
          )
          update video_viewing v set viewer = null, address = null from ended e where v.id = e.id`
        const gain = sql.literal(
          "view_gain(t.position, t.seen_at, t.started_at, t.watch_time, excluded.position, excluded.sought, excluded.seen_at)"
        )
        // Videos that are being deleted at this moment are skipped: waiting for them could cause a deadlock.
        const write = sql`
          with incoming as materialized (${incoming}), living as materialized (
            select v.id from video v where v.id in (select video_id from incoming)
            for key share skip locked
          ), numbered as (
            select k.*,
              row_number() over (partition by k.address, k.known order by k.viewer)
                + (select count(*) from video_viewing s where s.address = k.address) as nth
            from (
              select i.*, exists (select 1 from video_viewing o where o.viewer = i.viewer) as known
              from incoming i join living l on l.id = i.video_id
            ) k
          )
          insert into video_viewing as t (
            video_id, viewer, address, started_at, seen_at, position, sought, counted_at, client, device, operating_system
          )
          select video_id, viewer, address, seen_at, seen_at, position, sought,
            case when ${countAfterSeconds}::float8 <= 0 then seen_at end, client, device, operating_system
          from numbered where known or nth <= ${perAddress}::integer order by viewer
          on conflict (viewer) where viewer is not null do update set
            position = excluded.position,
            sought = excluded.sought,
            seen_at = greatest(t.seen_at, excluded.seen_at),
            address = excluded.address,
            watch_time = t.watch_time + ${gain},
            -- A session that only consists of jumps could grow without limit.
            watched = case when ${gain} > 0 and pg_column_size(t.watched) < 4000
              then t.watched + int4multirange(int4range(t.position, excluded.position, '[]')) else t.watched end,
            counted_at = coalesce(t.counted_at, case when t.watch_time + ${gain} >= (
              select case when v.duration > 0 and not v.is_live
                then least(${countAfterSeconds}::float8, greatest(1, v.duration - 2)) else ${countAfterSeconds}::float8 end
              from video v where v.id = t.video_id
            ) then excluded.seen_at end),
            client = coalesce(t.client, excluded.client),
            device = coalesce(t.device, excluded.device),
            operating_system = coalesce(t.operating_system, excluded.operating_system)`
        // A plan made while the table was empty would read the whole table for each report, and be cached.
        yield* sql.withTransaction(Effect.andThen(sql`set local enable_seqscan = off`, write))
      }, withDatabaseErrors)

      return ViewingRows.of({ target, record, end })
    })
  )
}
