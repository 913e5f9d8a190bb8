import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { instanceAccount } from "../account/OwnerBlocks.ts"

/** What a list says last of a host, or of an account there. */
export interface ListedBlock {
  readonly host: string
  /** Of the account; empty: all of the host. */
  readonly name: string
  readonly blocked: boolean
}

/** Blocks that stand for entries of subscriptions, in the caller's transaction. */
export const blocksOfSubscriptions = (sql: SqlClient) => {
  const instance = sql`(${instanceAccount(sql)})`

  /** `t`: hosts and names. Hosts that were never heard of get a row; accounts that are not known are blocked when they come. */
  const block = Effect.fnUntraced(function* (targets: ReadonlyArray<ListedBlock>) {
    const hosts = targets.filter(({ name }) => name === "").map(({ host }) => host)
    if (hosts.length > 0) {
      yield* sql`
        insert into server (host) select h from unnest(${hosts}::citext[]) h order by h on conflict do nothing`
      yield* sql`
        insert into server_block (account_id, server_id, by_hand)
        select ${instance}, s.id, false from unnest(${hosts}::citext[]) t (host) join server s on s.host = t.host
        where exists (select from blocklist_entry e where e.host = t.host and e.name = '' and not e.lifted)
        order by s.id on conflict do nothing`
    }
    const accounts = targets.filter(({ name }) => name !== "")
    if (accounts.length === 0) return
    yield* sql`
      insert into account_block (account_id, target_account_id, by_hand)
      select ${instance}, c.id, false
      from unnest(${accounts.map(({ host }) => host)}::citext[], ${accounts.map(({ name }) => name)}::citext[]) t (host, name)
        join server s on s.host = t.host
        join actor a on a.server_id = s.id and a.preferred_username = t.name
        join account c on c.actor_id = a.id
      where exists (select from blocklist_entry e where e.host = t.host and e.name = t.name and not e.lifted)
      order by c.id on conflict do nothing`
  })

  /** Of these targets, what no list has any more and nobody blocked by hand. */
  const unblock = Effect.fnUntraced(function* (targets: ReadonlyArray<Omit<ListedBlock, "blocked">>) {
    if (targets.length === 0) return
    const given = sql`
      unnest(${targets.map(({ host }) => host)}::citext[], ${targets.map(({ name }) => name)}::citext[]) t (host, name)`
    const unlisted = sql`
      not exists (select from blocklist_entry e where e.host = t.host and e.name = t.name and not e.lifted)`
    yield* sql`
      delete from server_block b using ${given} join server s on s.host = t.host
      where t.name = '' and b.account_id = ${instance} and b.server_id = s.id and not b.by_hand and ${unlisted}`
    yield* sql`
      delete from account_block b using ${given} join server s on s.host = t.host
        join actor a on a.server_id = s.id and a.preferred_username = t.name join account c on c.actor_id = a.id
      where t.name <> '' and b.account_id = ${instance} and b.target_account_id = c.id and not b.by_hand and ${unlisted}`
  })

  /**
   * Changes of entries wait for each other, whichever subscription they are of: whether a block is still wanted depends on the
   * entries of all.
   */
  const lock = sql`select 1 from account where id = ${instance} for no key update`

  /** Blocks accounts of entries that came to be known while an entry was written: neither transaction saw the other. */
  const catchUp = (subscriptionId: number) => sql`
    insert into account_block (account_id, target_account_id, by_hand)
    select ${instance}, c.id, false
    from blocklist_entry e join server s on s.host = e.host
      join actor a on a.server_id = s.id and a.preferred_username = e.name
      join account c on c.actor_id = a.id
    where e.subscription_id = ${subscriptionId} and e.name <> '' and not e.lifted
      and not exists (select from account_block b where b.account_id = ${instance} and b.target_account_id = c.id)
    order by c.id on conflict do nothing`

  /** Everything that is blocked because of a subscription alone. */
  const takeBack = Effect.fnUntraced(function* (subscriptionId: number) {
    yield* lock
    const gone = yield* sql<{ host: string; name: string }>`
      delete from blocklist_entry where subscription_id = ${subscriptionId} returning host::text as host, name::text as name`
    yield* unblock(gone)
  })

  return { lock, block, unblock, catchUp, takeBack }
}
