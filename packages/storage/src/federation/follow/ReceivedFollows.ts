import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { recordEvent } from "../../social/notification/NotificationEvents.ts"
import { instanceActor } from "./InstanceActor.ts"

/** A Follow that came in, by the rows of those it is about. */
export interface IncomingFollow {
  /** Id of the activity. */
  readonly uri: string
  readonly actorId: number
  readonly targetActorId: number
}

/** Who may follow what is ours. */
export interface FollowPolicy {
  /** The instance as a whole: everybody, those an administrator lets in, or nobody. */
  readonly instance: "open" | "manual" | "closed"
  /** Accounts and channels: everybody or nobody. */
  readonly channels: "open" | "closed"
}

/** What became of a Follow. `ofInstance`: the instance as a whole is followed, by another's actor of the same kind if `byInstance`. */
export interface Judged {
  readonly state: "pending" | "accepted" | "rejected"
  readonly ofInstance: boolean
  readonly byInstance: boolean
}

/** Follows others ask us for, and what they say to ours. Triggers mark what is decided, and the outbox answers. */
export class ReceivedFollows extends Context.Service<
  ReceivedFollows,
  {
    /**
     * Writes the follow down with what is decided of it. None: the target is none of ours, or the id belongs to another
     * follow. Who asks again is answered again. Nothing is kept of what a setting or a block refuses.
     */
    readonly receive: (
      follow: IncomingFollow,
      policy: FollowPolicy
    ) => Effect.Effect<Option.Option<Judged>, DatabaseUnavailable>
    /** The follower takes a follow of theirs back, also one that was refused: it may ask again. False: there was none. */
    readonly undo: (
      actorId: number,
      follow: { readonly uri: string } | { readonly targetActorId: number }
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** The actor that one of ours asked says so. None: nothing was asked of it under this id. */
    readonly answered: (
      targetActorId: number,
      follow: { readonly uri: string } | { readonly actorId: number },
      state: "accepted" | "rejected"
    ) => Effect.Effect<Option.Option<{ readonly changed: boolean }>, DatabaseUnavailable>
  }
>()("@kinora/storage/follows/ReceivedFollows") {
  static readonly layer = Layer.effect(
    ReceivedFollows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      /** Whether the follower, or its host, is blocked by the instance or by whom it wants to follow. */
      const refused = (actorId: number, targetActorId: number) => sql`
        exists (
          select 1 from account o left join video_channel h on h.account_id = o.id and h.actor_id = ${targetActorId}
            join actor a on a.id = ${actorId} left join video_channel k on k.actor_id = a.id
            left join account f on f.actor_id = a.id or f.id = k.account_id
          where (o.actor_id in (${targetActorId}, ${instanceActor(sql)}) or h.id is not null) and (
            exists (select 1 from account_block b where b.account_id = o.id and b.target_account_id = f.id)
            or exists (select 1 from server_block b where b.account_id = o.id and b.server_id = a.server_id)
          )
        )`

      const receive = Effect.fn("ReceivedFollows.receive")(
        function* ({ actorId, targetActorId, uri }: IncomingFollow, policy: FollowPolicy) {
          const [facts] = yield* sql<{ ofInstance: boolean; byInstance: boolean; refused: boolean }>`
            select t.type = 'Application' as "ofInstance", a.type = 'Application' as "byInstance",
              ${refused(actorId, targetActorId)} as refused
            from actor a, actor t
            where a.id = ${actorId} and a.server_id is not null and t.id = ${targetActorId} and t.server_id is null
            for key share of a, t`
          if (facts === undefined) return Option.none()
          const { byInstance, ofInstance } = facts
          const closed = facts.refused || (ofInstance ? policy.instance : policy.channels) === "closed"
          const wanted = closed ? "rejected" : ofInstance && policy.instance === "manual" ? "pending" : "accepted"
          // It waits until all is decided: what it becomes is a change that is told, also to who asks again.
          const [known] = yield* sql<{ state: string }>`
            select state from actor_follow
            where actor_id = ${actorId} and target_actor_id = ${targetActorId} for update`
          const [row] = yield* sql<{ id: number }>`
            insert into actor_follow (actor_id, target_actor_id, state, url)
            select ${actorId}::integer, ${targetActorId}::integer, 'pending', ${uri}::text
            where not exists (
              select 1 from actor_follow where url = ${uri}
                and (actor_id, target_actor_id) <> (${actorId}::integer, ${targetActorId}::integer)
            )
            on conflict (actor_id, target_actor_id) do update
              set url = excluded.url, state = 'pending', updated_at = now()
            returning id`
          if (row === undefined) return Option.none()
          // An administrator's word on this follower stands, whatever is asked of others by now.
          const kept = closed || !ofInstance ? undefined : known?.state
          const state = kept === "accepted" || kept === "rejected" ? kept : wanted
          if (state !== "pending") {
            yield* sql`update actor_follow set state = ${state}, updated_at = now() where id = ${row.id}`
          }
          // What a setting or a block refuses is judged anew by those of the time when it is asked for again.
          if (closed) yield* sql`delete from actor_follow where id = ${row.id}`
          if (state !== "rejected" && known === undefined) {
            yield* recordEvent(sql, { _tag: ofInstance ? "NewInstanceFollower" : "NewFollow", followId: row.id })
          }
          return Option.some({ state, ofInstance, byInstance } satisfies Judged)
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const undo = Effect.fn("ReceivedFollows.undo")(
        function* (actorId: number, follow: { readonly uri: string } | { readonly targetActorId: number }) {
          const named =
            "uri" in follow ? sql`f.url = ${follow.uri}` : sql`f.target_actor_id = ${follow.targetActorId}::integer`
          const rows = yield* sql`
            with target as materialized (
              select a.id from actor a join actor_follow f on f.target_actor_id = a.id
              where f.actor_id = ${actorId} and ${named} for key share of a
            )
            delete from actor_follow f using target t, actor b
            where f.actor_id = ${actorId} and f.target_actor_id = t.id and b.id = f.actor_id and b.server_id is not null
            returning f.id`
          return rows.length > 0
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const answered = Effect.fn("ReceivedFollows.answered")(
        function* (
          targetActorId: number,
          follow: { readonly uri: string } | { readonly actorId: number },
          state: "accepted" | "rejected"
        ) {
          const named = "uri" in follow ? sql`f.url = ${follow.uri}` : sql`f.actor_id = ${follow.actorId}::integer`
          const [row] = yield* sql<{ id: number; state: string }>`
            select f.id, f.state from actor_follow f join actor b on b.id = f.actor_id and b.server_id is null
              join actor t on t.id = f.target_actor_id and t.server_id is not null
            where f.target_actor_id = ${targetActorId} and ${named} for update of f`
          // Who refused once and accepts later was asked again in between, or it is no answer to us.
          if (row === undefined || (state === "accepted" && row.state === "rejected")) return Option.none()
          if (row.state === state) return Option.some({ changed: false })
          yield* sql`update actor_follow set state = ${state}, updated_at = now() where id = ${row.id}`
          return Option.some({ changed: true })
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      return ReceivedFollows.of({ receive, undo, answered })
    })
  )
}
