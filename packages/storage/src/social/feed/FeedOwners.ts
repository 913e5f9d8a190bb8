import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isActorNamed } from "../../people/actor/ActorNamed.ts"
import { actorOf } from "../../people/actor/ActorPages.ts"
import type { KeptActorText } from "../../people/actor/ActorTexts.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** An account or a channel: its row id, the account it belongs to, and JSON text as clients read it. */
export interface FeedOwner {
  readonly id: number
  readonly accountId: number
  readonly json: string
}

interface Owner extends KeptActorText {
  readonly id: number
  readonly accountId: number
}

/** Whose subscriptions a feed lists, with what decides what they see. */
export interface FeedSubscriber {
  readonly userId: number
  readonly accountId: number
  readonly nsfwPolicy: string | null
  readonly nsfwFlagsHidden: string | null
  readonly nsfwFlagsDisplayed: string | null
  readonly nsfwFlagsWarned: string | null
  readonly nsfwFlagsBlurred: string | null
}

/** Whom feeds are of. */
export class FeedOwners extends Context.Service<
  FeedOwners,
  {
    readonly account: (named: number | ActorHandle) => Effect.Effect<Option.Option<FeedOwner>, DatabaseUnavailable>
    readonly channel: (named: number | ActorHandle) => Effect.Effect<Option.Option<FeedOwner>, DatabaseUnavailable>
    readonly subscriber: (userId: number) => Effect.Effect<Option.Option<FeedSubscriber>, DatabaseUnavailable>
    /** When the instance was set up, ISO 8601: what is empty has changed last then. */
    readonly since: Effect.Effect<string, DatabaseUnavailable>
  }
>()("@kinora/storage/feeds/FeedOwners") {
  static readonly layer = Layer.effect(
    FeedOwners,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const named = (by: number | ActorHandle) =>
        typeof by === "number" ? sql`c.id = ${by}::int` : isActorNamed(sql, by)
      const owner = (rows: ReadonlyArray<Owner>) =>
        Effect.map(actorOf(sql, rows), (found): Option.Option<FeedOwner> =>
          found === undefined
            ? Option.none()
            : Option.some({ id: found.row.id, accountId: found.row.accountId, json: found.text })
        )
      const first = <A>(rows: ReadonlyArray<A>) => Option.fromUndefinedOr(rows[0])

      const account = Effect.fn("FeedOwners.account")(function* (by: number | ActorHandle) {
        return yield* owner(
          yield* sql<Owner>`
            select c.id, c.id as "accountId", a.id as "actorId", (select w.text from actor_read_model w where w.actor_id = a.id) as text
            from account c join actor a on a.id = c.actor_id where ${named(by)}
          `
        )
      }, withDatabaseErrors)

      const channel = Effect.fn("FeedOwners.channel")(function* (by: number | ActorHandle) {
        return yield* owner(
          yield* sql<Owner>`
            select c.id, c.account_id as "accountId", a.id as "actorId", (select w.text from actor_read_model w where w.actor_id = a.id) as text
            from video_channel c join actor a on a.id = c.actor_id where ${named(by)}
          `
        )
      }, withDatabaseErrors)

      const subscriber = Effect.fn("FeedOwners.subscriber")(function* (userId: number) {
        return first(
          yield* sql<FeedSubscriber>`
            select u.id as "userId", a.id as "accountId", u.preferences ->> 'nsfwPolicy' as "nsfwPolicy",
              u.preferences ->> 'nsfwFlagsHidden' as "nsfwFlagsHidden",
              u.preferences ->> 'nsfwFlagsDisplayed' as "nsfwFlagsDisplayed",
              u.preferences ->> 'nsfwFlagsWarned' as "nsfwFlagsWarned",
              u.preferences ->> 'nsfwFlagsBlurred' as "nsfwFlagsBlurred"
            from app_user u join account a on a.user_id = u.id where u.id = ${userId}
          `
        )
      }, withDatabaseErrors)

      const since = withDatabaseErrors(
        Effect.map(
          sql<{ since: string }>`select wire_time(created_at) as since from actor order by id limit 1`,
          (rows) => rows[0]?.since ?? "1970-01-01T00:00:00.000Z"
        )
      )

      return FeedOwners.of({ account, channel, subscriber, since })
    })
  )
}
