import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Contract JobType: somebody is looked up and asked. */
export const followJobType = "activitypub-follow"
/** Contract JobType: a page of what somebody has published is fetched. */
export const backfillJobType = "activitypub-http-fetcher"

/** `name` null: the instance at the host. `userId` null: it is the instance that follows. */
export const FollowPayload = Schema.Struct({
  host: Schema.String,
  name: Schema.NullOr(Schema.String),
  userId: Schema.NullOr(Schema.Int)
})
export type FollowPayload = typeof FollowPayload.Type

/** `next` null: from the beginning. Pages are counted from 1. */
export const BackfillPayload = Schema.Struct({
  actorId: Schema.Int,
  next: Schema.NullOr(Schema.String),
  page: Schema.Int
})
export type BackfillPayload = typeof BackfillPayload.Type

/** Contract `delivery.jobAttempts.follow`. */
const attempts = 5

const followKey = ({ host, name, userId }: FollowPayload) =>
  `follow ${userId ?? "instance"} ${name === null ? host : `${name}@${host}`}`

/** What is to be asked of other instances because somebody follows, as jobs: written in the caller's transaction. */
export class FollowJobs extends Context.Service<
  FollowJobs,
  {
    readonly askHost: (host: string) => Effect.Effect<void, DatabaseUnavailable>
    readonly askHandle: (name: string, host: string) => Effect.Effect<void, DatabaseUnavailable>
    /** A user follows a channel that is not known yet. */
    readonly askForUser: (userId: number, name: string, host: string) => Effect.Effect<void, DatabaseUnavailable>
    /** Stops what is not done yet. False: nothing was to be done. */
    readonly dropForInstance: (
      target: { readonly host: string } | { readonly handle: ActorHandle }
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    readonly dropForUser: (userId: number, handle: ActorHandle) => Effect.Effect<boolean, DatabaseUnavailable>
    /** What an actor of another instance has published so far is fetched, the newest first. */
    readonly backfill: (
      actorId: number,
      from?: { readonly next: string; readonly page: number }
    ) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/follows/FollowJobs") {
  static readonly layer = Layer.effect(
    FollowJobs,
    Effect.gen(function* () {
      const board = yield* JobBoard
      const sql = yield* SqlClient

      const ask = (payload: FollowPayload) =>
        Effect.asVoid(
          board.enqueue({ type: followJobType, payload, dedupeKey: followKey(payload), maxAttempts: attempts })
        )

      /** A worker that is at it finds its job gone when it comes to write, and writes nothing. */
      const drop = (payload: FollowPayload) =>
        Effect.map(
          sql`delete from job where dedupe_key = ${followKey(payload)}
            and state not in ('completed', 'failed', 'cancelled') returning id`,
          (rows) => rows.length > 0
        ).pipe(withDatabaseErrors)

      const payloadOf = (target: { readonly host: string } | { readonly handle: ActorHandle }): FollowPayload =>
        "host" in target
          ? { host: target.host, name: null, userId: null }
          : { host: target.handle.host ?? "", name: target.handle.name.toLowerCase(), userId: null }

      return FollowJobs.of({
        askHost: (host) => ask({ host, name: null, userId: null }),
        askHandle: (name, host) => ask({ host, name: name.toLowerCase(), userId: null }),
        askForUser: (userId, name, host) => ask({ host, name: name.toLowerCase(), userId }),
        dropForInstance: (target) => drop(payloadOf(target)),
        dropForUser: (userId, handle) => drop({ ...payloadOf({ handle }), userId }),
        backfill: (actorId, from) =>
          Effect.asVoid(
            board.enqueue({
              type: backfillJobType,
              payload: { actorId, next: from?.next ?? null, page: from?.page ?? 1 } satisfies BackfillPayload,
              // The page that is being read is not done while it asks for the next one.
              dedupeKey: `backfill ${actorId} ${from?.page ?? 1}`,
              priority: 200
            })
          )
      })
    })
  )
}
