import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { dropActorImages } from "../../people/actor/ActorImageRows.ts"
import { isUnavailable, withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { lockChannelsOf, type Owner, removeSomeVideosOf } from "../../people/account/OwnedVideos.ts"
import { removeRates } from "../../social/rating/RateRemoval.ts"

interface Departing {
  readonly id: number
  readonly accountId: number | null
  readonly channelId: number | null
  /** Steps that failed: the next ones are small. */
  readonly failures: number
}

/**
 * What one transaction removes: a second or two of work. A comment may be told to many, a video has the comments of others
 * with it: where that is too much for one, the next ones take less.
 */
const often = { comments: 100, rates: 500, playlists: 100, videos: 50 } as const
const seldom = { comments: 5, rates: 50, playlists: 1, videos: 1 } as const

/**
 * Actors of other instances that are gone. From `begin` on nothing of theirs is taken; their things are removed in bounded
 * transactions until nothing is left, by whichever node comes to it: the row of the departure is there as long as the actor.
 */
export class RemoteDepartures extends Context.Service<
  RemoteDepartures,
  {
    /**
     * An actor of another instance is gone: it, its videos, comments, ratings, playlists, channels and pictures. In the
     * caller's transaction it is marked, and removed as far as that is little. False when it is not known, or gone already.
     */
    readonly begin: (url: string) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Removes some of what is left of one that is due, in a transaction, or puts it off; false: none is. */
    readonly next: Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/remote/RemoteDepartures") {
  static readonly layer = Layer.effect(
    RemoteDepartures,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const departing = sql`
        select a.id, c.id as "accountId", v.id as "channelId", coalesce(d.failures, 0) as failures
        from actor a left join actor_departure d on d.actor_id = a.id
          left join account c on c.actor_id = a.id left join video_channel v on v.actor_id = a.id`

      /** What an account has said and thought; true when nothing is left of it. */
      const takeBack = Effect.fnUntraced(function* (accountId: number, most: typeof often | typeof seldom) {
        yield* sql`select set_config('kinora.departing', ${String(accountId)}, true)`
        const [comments] = yield* sql<{ removed: number }>`
          select remove_comments(array(
            select id from video_comment where account_id = ${accountId} order by video_id, id desc limit ${most.comments}
          ), true) as removed`
        if (comments!.removed === most.comments) return false
        if ((yield* removeRates(sql, accountId, most.rates)) === most.rates) return false
        const playlists = yield* sql`
          delete from video_playlist where id in (
            select id from video_playlist where owner_account_id = ${accountId} order by id limit ${most.playlists}
          ) returning id`
        return playlists.length < most.playlists
      })

      const picturesOf = Effect.fnUntraced(function* (actorId: number, accountId: number | null) {
        const channels = yield* sql<{ actorId: number }>`
          select actor_id as "actorId" from video_channel where account_id = ${accountId}::integer`
        yield* dropActorImages(sql, [actorId, ...channels.map(({ actorId }) => actorId)])
      })

      /** One step, in the caller's transaction; true when the actor is no more. */
      const step = Effect.fnUntraced(function* (actor: Departing): Effect.fn.Return<boolean, SqlError> {
        const { accountId, channelId, failures, id } = actor
        const most = failures === 0 ? often : seldom
        const owner: Owner | undefined =
          accountId !== null ? { accountId } : channelId !== null ? { channelId } : undefined
        if (owner !== undefined) {
          // Who speaks as the account at this moment is waited for, and seen by what follows.
          if (accountId !== null) yield* sql`select 1 from account where id = ${accountId} for update`
          yield* lockChannelsOf(sql, owner)
          if (accountId !== null && !(yield* takeBack(accountId, most))) return false
          if ((yield* removeSomeVideosOf(sql, owner, most.videos)) === most.videos) return false
          yield* picturesOf(id, accountId)
          if (accountId !== null) yield* sql`delete from account where id = ${accountId}`
          if (channelId !== null) {
            yield* sql`delete from video_playlist where channel_id = ${channelId} and remote`
            yield* sql`delete from video_channel where id = ${channelId}`
          }
        }
        yield* sql`delete from actor where id = ${id}`
        return true
      })

      const begin = Effect.fn("RemoteDepartures.begin")(
        function* (url: string) {
          const [actor] = yield* sql<Departing>`${departing} where a.url = ${url} and a.server_id is not null`
          if (actor === undefined) return false
          const marked = yield* sql`
            insert into actor_departure (actor_id) values (${actor.id}) on conflict do nothing returning actor_id`
          if (marked.length === 0) return false
          // Its key proves nothing any more.
          yield* sql`delete from actor_key where actor_id = ${actor.id}`
          // That it is gone is not to be undone by what is too much at once.
          yield* Effect.catch(sql.withTransaction(step(actor)), (error) =>
            Effect.andThen(
              Effect.logWarning(`Cleanup of ${url} is postponed`, error),
              sql`update actor_departure set failures = 1 where actor_id = ${actor.id}`
            )
          )
          return true
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      /** The one that waits longest; another node has another. */
      const takeStep = Effect.fnUntraced(function* (taken: { id?: number }) {
        const [actor] = yield* sql<Departing>`
          ${departing} where a.id = (
            select actor_id from actor_departure where next_at <= now()
            order by next_at, actor_id limit 1 for update skip locked
          )`
        if (actor === undefined) return false
        taken.id = actor.id
        if (!(yield* step(actor))) {
          // Others who are gone do not wait until all of this one is.
          yield* sql`update actor_departure set next_at = now() where actor_id = ${actor.id}`
        }
        return true
      }, sql.withTransaction)

      const next = Effect.suspend(() => {
        const taken: { id?: number } = {}
        return Effect.catch(takeStep(taken), (error) => {
          const { id } = taken
          if (id === undefined || isUnavailable(error)) return Effect.fail(error)
          // It has its turn again, later each time, and others meanwhile.
          return sql`
            update actor_departure set failures = failures + 1,
              next_at = now() + least(power(2, failures), 360) * interval '10 seconds'
            where actor_id = ${id}`.pipe(
            Effect.andThen(Effect.logWarning(`What is left of the departed actor ${id} cannot be removed now`, error)),
            Effect.as(true)
          )
        })
      }).pipe(withDatabaseErrors, Effect.withSpan("RemoteDepartures.next"))

      return RemoteDepartures.of({ begin, next })
    })
  )
}
