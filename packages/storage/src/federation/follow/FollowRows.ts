import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { isActorNamed } from "../../people/actor/ActorNamed.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { recordEvent } from "../../social/notification/NotificationEvents.ts"
import { instanceActor } from "./InstanceActor.ts"

/** What became of a wish to follow: `known` when it stands or waits already. */
export type Asked = "pending" | "accepted" | "known"

/**
 * Follows between actors of ours and those of others. Triggers mark what the other side must hear of, and the outbox sends it.
 */
export class FollowRows extends Context.Service<
  FollowRows,
  {
    /**
     * Has a local actor follow another: one of another instance when that says so, one of ours at once. The instance's own
     * actor is followed by none of ours, and an actor does not follow itself: these are `known`.
     */
    readonly ask: (actorId: number, targetActorId: number) => Effect.Effect<Asked, DatabaseUnavailable>
    /** The same for the account of a user. */
    readonly askForUser: (userId: number, targetActorId: number) => Effect.Effect<Asked, DatabaseUnavailable>
    /** The same for the actor of the instance; `automatic`: administrators receive a notification. */
    readonly askForInstance: (
      targetActorId: number,
      options: { readonly automatic: boolean }
    ) => Effect.Effect<Asked, DatabaseUnavailable>
    /** Ends what the instance follows under this handle, or of this host as a whole. False: it follows none such. */
    readonly end: (
      target: { readonly handle: ActorHandle } | { readonly host: string }
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Lets a follower of the instance in who waits or was refused. */
    readonly accept: (handle: ActorHandle) => Effect.Effect<Answered, DatabaseUnavailable>
    /** Refuses a follower of the instance, now and when it asks again. */
    readonly reject: (handle: ActorHandle) => Effect.Effect<Answered, DatabaseUnavailable>
    /** Refuses a follower of the instance and forgets it: it may ask again. */
    readonly remove: (handle: ActorHandle) => Effect.Effect<Answered, DatabaseUnavailable>
  }
>()("@kinora/storage/follows/FollowRows") {
  static readonly layer = Layer.effect(
    FollowRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      /** Within the caller's transaction. Actors are locked before the follow, as where they are removed. */
      const insert = Effect.fnUntraced(function* (actor: Fragment, targetActorId: number) {
        const [made] = yield* sql<{ id: number; state: "pending" | "accepted" }>`
          with pair as materialized (
            select b.id as by, t.id as target, t.server_id is null as local
            from actor b, actor t where b.id = ${actor} and b.server_id is null and t.id = ${targetActorId}
              and b.id <> t.id and not (t.server_id is null and t.type = 'Application')
            for key share
          )
          insert into actor_follow (actor_id, target_actor_id, state)
          select by, target, case when local then 'accepted' else 'pending' end from pair
          on conflict (actor_id, target_actor_id) do update
            set state = excluded.state, created_at = now(), updated_at = now() where actor_follow.state = 'rejected'
          returning id, state`
        return made
      })

      const asking = Effect.fnUntraced(
        function* (actor: Fragment, targetActorId: number) {
          const made = yield* insert(actor, targetActorId)
          if (made?.state === "accepted") yield* recordEvent(sql, { _tag: "NewFollow", followId: made.id })
          return made?.state ?? "known"
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const askForInstance = Effect.fn("FollowRows.askForInstance")(
        function* (targetActorId: number, { automatic }: { readonly automatic: boolean }) {
          const made = yield* insert(instanceActor(sql), targetActorId)
          if (made !== undefined && automatic) {
            yield* recordEvent(sql, { _tag: "AutoInstanceFollowing", followId: made.id })
          }
          return made?.state ?? "known"
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const end = Effect.fn("FollowRows.end")(
        function* (target: { readonly handle: ActorHandle } | { readonly host: string }) {
          const named =
            "handle" in target
              ? isActorNamed(sql, target.handle)
              : sql`a.type in ('Application', 'Service') and a.server_id = (
                  select id from server where host = ${target.host}::citext)`
          const rows = yield* sql`
            with target as materialized (select a.id from actor a where ${named} for key share of a)
            delete from actor_follow f using target t
            where f.actor_id = ${instanceActor(sql)} and f.target_actor_id = t.id returning f.id`
          return rows.length > 0
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const answerer = (after: FollowState | null, change: (followId: number) => Effect.Effect<unknown, SqlError>) =>
        Effect.fnUntraced(
          function* (handle: ActorHandle): Effect.fn.Return<Answered, SqlError> {
            const [found] = yield* sql<{ id: number; actorId: number; isApplication: boolean; state: FollowState }>`
              select f.id, f.state, a.id as "actorId", a.type = 'Application' as "isApplication"
              from actor a join actor_follow f on f.actor_id = a.id
              where ${isActorNamed(sql, handle)} and f.target_actor_id = ${instanceActor(sql)} for update of f`
            if (found === undefined) return undefined
            yield* change(found.id)
            return { actorId: found.actorId, isApplication: found.isApplication, before: found.state, after }
          },
          sql.withTransaction,
          withDatabaseErrors
        )

      const settle = (state: "accepted" | "rejected") =>
        answerer(
          state,
          (id) =>
            sql`update actor_follow set state = ${state}, updated_at = now() where id = ${id} and state <> ${state}`
        )

      return FollowRows.of({
        ask: (actorId, targetActorId) => asking(sql`${actorId}::integer`, targetActorId),
        askForUser: (userId, targetActorId) =>
          asking(sql`(select actor_id from account where user_id = ${userId})`, targetActorId),
        askForInstance,
        end,
        accept: settle("accepted"),
        reject: settle("rejected"),
        remove: answerer(null, (id) =>
          Effect.andThen(
            sql`update actor_follow set state = 'rejected' where id = ${id} and state <> 'rejected'`,
            sql`delete from actor_follow where id = ${id}`
          )
        )
      })
    })
  )
}

/** The follower that was answered; undefined: nobody of this handle follows the instance. */
export type Answered =
  | {
      readonly actorId: number
      readonly isApplication: boolean
      readonly before: FollowState
      /** Null: it is forgotten. */
      readonly after: FollowState | null
    }
  | undefined

type FollowState = "pending" | "accepted" | "rejected"
