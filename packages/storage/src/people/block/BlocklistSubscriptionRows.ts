import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { BlocklistSubscription } from "@kinora/domain/wire/BlocklistSubscription"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { inTransaction } from "../../platform/database/InTransaction.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import { cancelFetch, enqueueFetch } from "../list/SubscriptionJobs.ts"
import { AlreadySubscribed, type NewSubscription, TooManySubscriptions } from "../list/SubscriptionRows.ts"
import { blocklistSubscriptions } from "./BlocklistSubscriptionLists.ts"
import { blocksOfSubscriptions } from "./SubscribedBlockRows.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard
  const blocks = blocksOfSubscriptions(sql)

  const read = blocklistSubscriptions(sql)

  const add = Effect.fn("BlocklistSubscriptionRows.add")(
    function* ({ max, name, url }: NewSubscription) {
      const [counted] = yield* sql<{ same: boolean; all: number }>`
        select coalesce(bool_or(url = ${url}), false) as same, count(*) as all from blocklist_subscription`
      if (counted!.same) return yield* new AlreadySubscribed({ url })
      if (counted!.all >= max) return yield* new TooManySubscriptions({ max })
      const [made] = yield* sql<{ id: number }>`
        insert into blocklist_subscription (url, name) values (${url}, ${name}) on conflict do nothing returning id`
      // Somebody else was faster.
      if (made === undefined) return yield* new AlreadySubscribed({ url })
      yield* enqueueFetch(jobs, { kind: "blocks", id: made.id }, 0)
      const [subscription] = yield* read(sql`s.id = ${made.id}`)
      return subscription!
    },
    inTransaction(sql),
    withDatabaseErrors
  )

  const remove = Effect.fn("BlocklistSubscriptionRows.remove")(
    function* (id: number) {
      const [gone] = yield* sql<{ url: string }>`select url from blocklist_subscription where id = ${id} for update`
      if (gone === undefined) return undefined
      yield* cancelFetch(sql, { kind: "blocks", id })
      yield* blocks.takeBack(id)
      yield* sql`delete from blocklist_subscription where id = ${id}`
      return gone.url
    },
    inTransaction(sql),
    withDatabaseErrors
  )

  return BlocklistSubscriptionRows.of({ add, remove })
})

/** The instance's subscriptions to block lists of others. */
export class BlocklistSubscriptionRows extends Context.Service<
  BlocklistSubscriptionRows,
  {
    /** Makes it with its first fetch. */
    readonly add: (
      subscription: NewSubscription
    ) => Effect.Effect<BlocklistSubscription, AlreadySubscribed | TooManySubscriptions | DatabaseUnavailable>
    /**
     * Ends it, with what is blocked because of it alone. Answers its address; undefined: there is none.
     */
    readonly remove: (id: number) => Effect.Effect<string | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/people/block/BlocklistSubscriptionRows") {
  static readonly layer = Layer.effect(BlocklistSubscriptionRows, make)
}
