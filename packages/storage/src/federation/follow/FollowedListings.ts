import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** Of one video, or of those of an actor after the one with the id `done`. */
interface ListingChange {
  readonly id: number
  readonly actorId: number | null
  readonly videoId: number | null
  readonly done: number
}

/** Has lists show the videos of others that somebody here follows, and no others (sql/federation/functions/listing.sql). */
export class FollowedListings extends Context.Service<
  FollowedListings,
  {
    /** Looks at up to so many videos of somebody who is followed from now on, or no more. False: there is nobody left. */
    readonly apply: (atMost: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/follows/FollowedListings") {
  static readonly layer = Layer.effect(
    FollowedListings,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const take = sql<ListingChange>`
        select id, actor_id as "actorId", video_id as "videoId", done from listing_change
        order by id limit 1 for update skip locked`

      /** The next videos of an actor: of its instance, its channel or its account. */
      const videosOf = Effect.fnUntraced(function* (actorId: number, done: number, atMost: number) {
        const [actor] = yield* sql<{ type: string; serverId: number | null }>`
          select type, server_id as "serverId" from actor where id = ${actorId}`
        const theirs =
          actor?.type === "Application"
            ? sql`video v where v.server_id = ${actor.serverId}`
            : actor?.type === "Group"
              ? sql`video_channel h join video v on v.channel_id = h.id where h.actor_id = ${actorId}`
              : sql`account o join video v on v.account_id = o.id where o.actor_id = ${actorId}`
        const rows = yield* sql<{ id: number }>`
          select v.id from ${theirs} and v.visible <> 0 and v.id > ${done} order by v.id limit ${atMost}`
        return rows.map(({ id }) => id)
      })

      const addShared = (actorId: number) => sql`
        insert into listing_change (video_id)
        select s.video_id from video_share s join video v on v.id = s.video_id
        where s.actor_id = ${actorId} and v.remote order by s.video_id`

      const show = Effect.fnUntraced(function* (videoIds: ReadonlyArray<number>) {
        yield* sql`select 1 from video where id = any(${videoIds}::integer[]) order by id for no key update`
        // Setting the state to itself has the trigger of visibility look again.
        yield* sql`
          update video v set state = v.state where v.id = any(${videoIds}::integer[]) and v.remote
            and (v.visible < 0) = video_has_followers(v.id, v.channel_id, v.account_id)`
      })

      const apply = Effect.fn("FollowedListings.apply")(
        function* (atMost: number) {
          const [change] = yield* take
          if (change === undefined) return false
          const { actorId, done, id, videoId } = change
          if (actorId === null) {
            if (videoId !== null) yield* show([videoId])
          } else {
            const videoIds = yield* videosOf(actorId, done, atMost)
            if (done === 0) yield* addShared(actorId)
            yield* show(videoIds)
            if (videoIds.length === atMost) {
              yield* sql`update listing_change set done = ${videoIds.at(-1)!} where id = ${id}`
              return true
            }
          }
          yield* sql`delete from listing_change where id = ${id}`
          return true
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      return FollowedListings.of({ apply })
    })
  )
}
