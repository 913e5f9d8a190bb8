import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { blocksOfSubscriptions, type ListedBlock } from "./SubscribedBlockRows.ts"

/** A subscription has as many entries as it may have. */
export class TooManyEntries extends Data.TaggedError("TooManyEntries")<{ readonly max: number }> {}

const mostEntries = 100_000

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const blocks = blocksOfSubscriptions(sql)

  const cursor = Effect.fn("SubscribedBlocks.cursor")(function* (subscriptionId: number) {
    const rows = yield* sql<{ until: string | null }>`
      select wire_time(applied_until) as until from blocklist_subscription where id = ${subscriptionId}`
    return rows[0]?.until ?? undefined
  }, withDatabaseErrors)

  const hostsAndNames = (listed: ReadonlyArray<ListedBlock>) => sql`
    unnest(${listed.map(({ host }) => host)}::citext[], ${listed.map(({ name }) => name)}::citext[]) t (host, name)`

  const apply = Effect.fn("SubscribedBlocks.apply")(
    function* (subscriptionId: number, listed: ReadonlyArray<ListedBlock>) {
      const there = yield* sql`select 1 from blocklist_subscription where id = ${subscriptionId} for key share`
      if (there.length === 0) return false
      yield* blocks.lock
      const blocked = listed.filter((it) => it.blocked)
      const unblocked = listed.filter((it) => !it.blocked)
      if (blocked.length > 0) {
        yield* sql`
          insert into blocklist_entry (subscription_id, host, name)
          select ${subscriptionId}, host, name from ${hostsAndNames(blocked)} order by host, name on conflict do nothing`
        const [counted] = yield* sql<{ entries: number }>`
          select count(*) as entries from blocklist_entry where subscription_id = ${subscriptionId}`
        if (counted!.entries > mostEntries) return yield* new TooManyEntries({ max: mostEntries })
        yield* blocks.block(blocked)
      }
      if (unblocked.length > 0) {
        yield* sql`
          delete from blocklist_entry e using ${hostsAndNames(unblocked)}
          where e.subscription_id = ${subscriptionId} and e.host = t.host and e.name = t.name`
        yield* blocks.unblock(unblocked)
      }
      return true
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const reached = Effect.fn("SubscribedBlocks.reached")(function* (
    subscriptionId: number,
    name: string,
    until: string
  ) {
    yield* sql`
      update blocklist_subscription set name = ${name},
        applied_until = greatest(applied_until, least(${until}::text::timestamptz, now()))
      where id = ${subscriptionId}`
  }, withDatabaseErrors)

  const catchUp = Effect.fn("SubscribedBlocks.catchUp")(
    function* (subscriptionId: number) {
      yield* blocks.lock
      yield* blocks.catchUp(subscriptionId)
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  return SubscribedBlocks.of({ cursor, apply, reached, catchUp })
})

/** Blocks that came by subscriptions. */
export class SubscribedBlocks extends Context.Service<
  SubscribedBlocks,
  {
    /** The time of the last action that was applied, by the clock of its publisher. Undefined: nothing was, or it has ended. */
    readonly cursor: (subscriptionId: number) => Effect.Effect<string | undefined, DatabaseUnavailable>
    /** Applies some of a list, each target once, in one transaction. False: the subscription has ended. */
    readonly apply: (
      subscriptionId: number,
      listed: ReadonlyArray<ListedBlock>
    ) => Effect.Effect<boolean, TooManyEntries | DatabaseUnavailable>
    /** Everything up to this time is applied. A time to come counts as now. */
    readonly reached: (subscriptionId: number, name: string, until: string) => Effect.Effect<void, DatabaseUnavailable>
    /** Blocks accounts of the list that came to be known while it was applied. */
    readonly catchUp: (subscriptionId: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/people/block/SubscribedBlocks") {
  static readonly layer = Layer.effect(SubscribedBlocks, make)
}
