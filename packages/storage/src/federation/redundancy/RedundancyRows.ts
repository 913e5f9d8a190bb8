import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { instanceActor } from "../follow/InstanceActor.ts"
import { keepObjects } from "../../platform/objects/ObjectIntents.ts"

export type Strategy = "manual" | "most-views" | "trending" | "recently-added"

/** A video of another instance, as far as copying it goes. */
export interface CopiedVideo {
  readonly id: number
  readonly uuid: string
  readonly remote: boolean
  readonly isLive: boolean
  /** Whether everybody may see it, as it is known here. */
  readonly open: boolean
  readonly playlistId: number | null
  /** Address of its HLS playlist. */
  readonly playlistUrl: string | null
  readonly segmentsUrl: string | null
  /** Bytes of its HLS files, as its instance says. */
  readonly size: number
  /** Whether this instance has a copy. */
  readonly copied: boolean
}

export interface NewCopy {
  readonly videoId: number
  readonly playlistId: number
  readonly uuid: string
  readonly strategy: Strategy
  readonly size: number
  /** Names of the objects. */
  readonly files: ReadonlyArray<string>
  /** Null: until somebody removes it. */
  readonly lifetimeMillis: number | null
}

/** Copies of videos: ours of those of others, and others' of ours. What others are to hear of ours is sent with the change. */
export class RedundancyRows extends Context.Service<
  RedundancyRows,
  {
    /** Whether videos of the host are copied from now on. Copies there are go when they are not. False: no such host is known. */
    readonly allow: (host: string, allowed: boolean) => Effect.Effect<boolean, DatabaseUnavailable>
    readonly isAllowed: (host: string) => Effect.Effect<boolean, DatabaseUnavailable>
    readonly video: (videoId: number) => Effect.Effect<Option.Option<CopiedVideo>, DatabaseUnavailable>
    /** Makes a copy of ours known whose files are stored. False: the video is gone, or not for everybody any more. */
    readonly keep: (copy: NewCopy) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Removes a copy, of ours with its files. False: there is none. */
    readonly remove: (redundancyId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Of what video whose copy it is. Undefined: there is none. */
    readonly values: (
      redundancyId: number
    ) => Effect.Effect<Readonly<Record<string, string | null>> | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/redundancy/RedundancyRows") {
  static readonly layer = Layer.effect(
    RedundancyRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      /** Removes copies of ours that a condition on `r` names. Triggers have others hear of it, and their files go. */
      const removeOurs = (which: Fragment) => sql`
        delete from video_redundancy where id in (
          select r.id from video_redundancy r where r.strategy is not null and ${which} for update
        ) returning id`

      const allow = Effect.fn("RedundancyRows.allow")(
        function* (host: string, allowed: boolean) {
          const [server] = yield* sql<{ id: number }>`
            update server set redundancy_allowed = ${allowed}, updated_at = now()
            where host = ${host}::citext returning id`
          if (server === undefined) return false
          if (!allowed) {
            yield* removeOurs(sql`r.video_id in (
              select v.id from video v join video_channel h on h.id = v.channel_id join actor a on a.id = h.actor_id
              where a.server_id = ${server.id}
            )`)
          }
          return true
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const video = Effect.fnUntraced(function* (videoId: number) {
        const rows = yield* sql<CopiedVideo>`
          select v.id, v.uuid, v.remote, v.is_live as "isLive", v.privacy = 1 and v.state = 1 as open,
            s.id as "playlistId", s.playlist_url as "playlistUrl", s.segments_sha256_url as "segmentsUrl",
            coalesce((select sum(f.size) from video_file f where f.streaming_playlist_id = s.id), 0)::float8 as size,
            exists (select 1 from video_redundancy r where r.video_id = v.id and r.strategy is not null) as copied
          from video v left join streaming_playlist s on s.video_id = v.id where v.id = ${videoId}`
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const keep = Effect.fn("RedundancyRows.keep")(
        function* (copy: NewCopy) {
          const [made] = yield* sql<{ id: number }>`
            insert into video_redundancy (
              video_id, streaming_playlist_id, actor_id, url, base_url, strategy, size, files, expires_at
            )
            select v.id, s.id, a.id, o.origin || '/redundancy/streaming-playlists/hls/' || v.uuid,
              o.origin || '/static/redundancy/hls/' || v.uuid, ${copy.strategy}, ${copy.size}::bigint,
              ${copy.files}::text[], now() + make_interval(secs => ${copy.lifetimeMillis}::float8 / 1000)
            from video v join streaming_playlist s on s.video_id = v.id and s.id = ${copy.playlistId},
              actor a, (select wire_origin() as origin) o
            where v.id = ${copy.videoId} and v.remote and v.privacy = 1 and v.state = 1 and a.id = ${instanceActor(sql)}
            for key share of v
            on conflict do nothing returning id`
          if (made === undefined) return false
          yield* keepObjects(
            sql,
            copy.files.map((name) => ({ bucket: "redundancy", name }))
          )
          return true
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const remove = Effect.fn("RedundancyRows.remove")(
        function* (redundancyId: number) {
          const ours = yield* removeOurs(sql`r.id = ${redundancyId}`)
          if (ours.length > 0) return true
          const theirs = yield* sql`
            delete from video_redundancy where id = ${redundancyId} and strategy is null returning id`
          return theirs.length > 0
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const isAllowed = Effect.fn("RedundancyRows.isAllowed")(function* (host: string) {
        const rows = yield* sql`select 1 from server where host = ${host}::citext and redundancy_allowed`
        return rows.length > 0
      }, withDatabaseErrors)

      const values = Effect.fn("RedundancyRows.values")(function* (redundancyId: number) {
        const [row] = yield* sql<Readonly<Record<string, string | null>>>`
          select v.name as video, v.uuid::text as uuid, r.strategy, a.url as actor
          from video_redundancy r join video v on v.id = r.video_id join actor a on a.id = r.actor_id
          where r.id = ${redundancyId}`
        return row
      }, withDatabaseErrors)

      return RedundancyRows.of({ allow, isAllowed, video, keep, remove, values })
    })
  )
}
