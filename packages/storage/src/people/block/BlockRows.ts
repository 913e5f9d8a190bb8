import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { instanceAccount } from "../account/OwnerBlocks.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** In whose name is blocked: an account by its row id, or the instance, whose blocks hold for everybody. */
export type Blocker = number | "instance"

/** `self`: nobody blocks themselves; `known`: it was blocked before. */
export type Blocked = "added" | "known" | "self"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const instance = sql`(${instanceAccount(sql)})`
  const idOf = (blocker: Blocker): Fragment => (blocker === "instance" ? instance : sql`${blocker}::int`)

  const blockAccount = Effect.fn("BlockRows.blockAccount")(function* (blocker: Blocker, targetId: number) {
    const rows = yield* sql<{ outcome: Blocked }>`
      with made as (
        insert into account_block (account_id, target_account_id)
        select b.id, t.id from account b, account t
        where b.id = ${idOf(blocker)} and t.id = ${targetId} and b.id <> t.id
        on conflict do nothing returning 1
      )
      select case when ${idOf(blocker)} = ${targetId} then 'self' when exists (select from made) then 'added'
        else 'known' end as outcome`
    return rows[0]!.outcome
  }, withDatabaseErrors)

  const unblockAccount = Effect.fn("BlockRows.unblockAccount")(function* (blocker: Blocker, targetId: number) {
    const rows = yield* sql`
      delete from account_block where account_id = ${idOf(blocker)} and target_account_id = ${targetId} returning 1`
    return rows.length > 0
  }, withDatabaseErrors)

  const blockServer = Effect.fn("BlockRows.blockServer")(
    function* (blocker: Blocker, host: string) {
      yield* sql`insert into server (host) values (${host}) on conflict do nothing`
      const rows = yield* sql`
        insert into server_block (account_id, server_id) select ${idOf(blocker)}, id from server where host = ${host}
        on conflict do nothing returning 1`
      return rows.length > 0 ? ("added" as const) : ("known" as const)
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const unblockServer = Effect.fn("BlockRows.unblockServer")(function* (blocker: Blocker, host: string) {
    const rows = yield* sql`
      delete from server_block b using server s
      where b.account_id = ${idOf(blocker)} and s.id = b.server_id and s.host = ${host} returning 1`
    return rows.length > 0
  }, withDatabaseErrors)

  return BlockRows.of({ blockAccount, unblockAccount, blockServer, unblockServer })
})

/** Which accounts and instances somebody mutes. What mutes hide is decided where lists are read. */
export class BlockRows extends Context.Service<
  BlockRows,
  {
    readonly blockAccount: (blocker: Blocker, targetId: number) => Effect.Effect<Blocked, DatabaseUnavailable>
    /** False: it was not blocked. */
    readonly unblockAccount: (blocker: Blocker, targetId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Hosts that were never heard of can be blocked too. */
    readonly blockServer: (blocker: Blocker, host: string) => Effect.Effect<"added" | "known", DatabaseUnavailable>
    /** False: it was not blocked. */
    readonly unblockServer: (blocker: Blocker, host: string) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/people/block/BlockRows") {
  static readonly layer = Layer.effect(BlockRows, make)
}
