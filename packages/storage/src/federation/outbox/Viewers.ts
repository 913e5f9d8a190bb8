import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** A video of ours that is watched at the moment. */
export interface WatchedVideo {
  readonly id: number
  readonly uuid: string
  readonly url: string
  readonly viewers: number
  readonly isPublic: boolean
  readonly channelActorId: number
}

/** Somebody here who watches a video elsewhere. */
export interface ViewerElsewhere {
  readonly videoId: number
  readonly videoUuid: string
  readonly videoUrl: string
  /** A hash that says nothing of who it is. */
  readonly viewer: string
  readonly inbox: string
  readonly ownerUrl: string
}

/** Any constant will do, as long as every node takes the same one. */
const turnLock = 1_986_618_213

/** Who watches at the moment, as far as other instances hear of it. */
export class Viewers extends Context.Service<
  Viewers,
  {
    /** Runs something in a transaction, unless another node is at it. */
    readonly inTurn: <A>(
      effect: Effect.Effect<A, DatabaseUnavailable>
    ) => Effect.Effect<A | undefined, DatabaseUnavailable>
    /** Videos of ours that others hear of, those with the most viewers first. */
    readonly ofOurs: (most: number) => Effect.Effect<ReadonlyArray<WatchedVideo>, DatabaseUnavailable>
    /** Those who reported within so many seconds, the latest first. */
    readonly elsewhere: (
      withinSeconds: number,
      most: number
    ) => Effect.Effect<ReadonlyArray<ViewerElsewhere>, DatabaseUnavailable>
    /** Takes back an activity as far as it is not sent. What somebody writes off at this moment is not waited for. */
    readonly retract: (uri: string) => Effect.Effect<void, DatabaseUnavailable>
    /** The actor of this instance; undefined before the first start. */
    readonly instanceActorId: Effect.Effect<number | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/outbox/Viewers") {
  static readonly layer = Layer.effect(
    Viewers,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const inTurn = <A>(effect: Effect.Effect<A, DatabaseUnavailable>) =>
        Effect.gen(function* () {
          const rows = yield* sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${turnLock}::bigint) as taken`
          return rows[0]!.taken ? yield* effect : undefined
        }).pipe(sql.withTransaction, withDatabaseErrors)

      const ofOurs = Effect.fnUntraced(function* (most: number) {
        return yield* sql<WatchedVideo>`
          select w.id, w.uuid, w.url, n.viewers + n.remote as viewers, w.privacy = 1 as "isPublic",
            c.actor_id as "channelActorId"
          from video_viewers n join video w on w.id = n.video_id join video_channel c on c.id = w.channel_id
          where n.viewers + n.remote > 0 and not w.remote and instance_has_followers() and video_is_pushed(w.id)
          order by n.viewers + n.remote desc, w.id limit ${most}`
      }, withDatabaseErrors)

      const elsewhere = Effect.fnUntraced(function* (withinSeconds: number, most: number) {
        return yield* sql<ViewerElsewhere>`
          select w.id as "videoId", w.uuid as "videoUuid", w.url as "videoUrl", encode(sha256(g.viewer), 'hex') as viewer,
            inbox_of(c.actor_id) as inbox, owner.url as "ownerUrl"
          from video_viewing g join video w on w.id = g.video_id and w.remote join video_channel c on c.id = w.channel_id
            join account o on o.id = w.account_id join actor owner on owner.id = o.actor_id
          where g.viewer is not null and g.seen_at > now() - ${withinSeconds}::float8 * interval '1 second'
          order by g.seen_at desc limit ${most}`
      }, withDatabaseErrors)

      const retract = Effect.fnUntraced(function* (uri: string) {
        // What somebody expands is waited for.
        yield* sql`
          select from delivery_fanout f join activity a on a.id = f.activity_id where a.uri = ${uri} for update of f`
        yield* sql`
          delete from delivery where id in (
            select d.id from delivery d where d.activity_id = (select id from activity where uri = ${uri})
            for update skip locked
          )`
        yield* sql`delete from activity where uri = ${uri}`
      }, withDatabaseErrors)

      const instanceActorId = sql<{ id: number | null }>`select instance_actor() as id`.pipe(
        Effect.map((rows) => rows[0]?.id ?? undefined),
        withDatabaseErrors
      )

      return Viewers.of({ inTurn, ofOurs, elsewhere, retract, instanceActorId })
    })
  )
}
