import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isActorNamed } from "../../people/actor/ActorNamed.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** An account that somebody wants to give or share something with. */
export interface Recipient {
  readonly accountId: number
  /** Whether it belongs to a user of this instance who can log in. */
  readonly canTake: boolean
}

/** Accounts as recipients of channels and videos, or as collaborators. */
export class Recipients extends Context.Service<
  Recipients,
  {
    readonly byHandle: (handle: ActorHandle) => Effect.Effect<Option.Option<Recipient>, DatabaseUnavailable>
    /** The account of the user with this name, if they can log in. */
    readonly byUsername: (username: string) => Effect.Effect<Option.Option<number>, DatabaseUnavailable>
  }
>()("@kinora/storage/ownership/Recipients") {
  static readonly layer = Layer.effect(
    Recipients,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const byHandle = Effect.fn("Recipients.byHandle")(function* (handle: ActorHandle) {
        const rows = yield* sql<Recipient>`
          select t.id as "accountId", coalesce(not u.blocked, false) as "canTake"
          from actor a join account t on t.actor_id = a.id left join app_user u on u.id = t.user_id
          where ${isActorNamed(sql, handle)}
        `
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const byUsername = Effect.fn("Recipients.byUsername")(function* (username: string) {
        const rows = yield* sql<{ id: number }>`
          select a.id from app_user u join account a on a.user_id = u.id
          where u.username = ${username}::citext and not u.blocked
        `
        return Option.map(Option.fromUndefinedOr(rows[0]), ({ id }) => id)
      }, withDatabaseErrors)

      return Recipients.of({ byHandle, byUsername })
    })
  )
}
