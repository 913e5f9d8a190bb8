import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { instanceAccount } from "../account/OwnerBlocks.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { inTransaction } from "../../platform/database/InTransaction.ts"
import { blockNotes } from "./BlockNotes.ts"

/** In whose name is blocked: an account by its row id, or the instance, whose blocks hold for everybody. */
export type Blocker = number | "instance"

/** `self`: nobody blocks themselves; `known`: it was blocked before. */
export type Blocked = "added" | "known" | "self"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const instance = sql`(${instanceAccount(sql)})`
  const idOf = (blocker: Blocker): Fragment => (blocker === "instance" ? instance : sql`${blocker}::int`)

  const notes = blockNotes(sql)

  const blockAccount = Effect.fn("BlockRows.blockAccount")(
    function* (blocker: Blocker, targetId: number) {
      const rows = yield* sql<{ outcome: Blocked }>`
        with made as (
          insert into account_block as k (account_id, target_account_id)
          select b.id, t.id from account b, account t
          where b.id = ${idOf(blocker)} and t.id = ${targetId} and b.id <> t.id
          on conflict (account_id, target_account_id) do update set by_hand = true, created_at = now() where not k.by_hand
          returning 1
        )
        select case when ${idOf(blocker)} = ${targetId} then 'self' when exists (select from made) then 'added'
          else 'known' end as outcome`
      const { outcome } = rows[0]!
      if (blocker === "instance" && outcome === "added") yield* notes.account(targetId, "block")
      return outcome
    },
    inTransaction(sql),
    withDatabaseErrors
  )

  const unblockAccount = Effect.fn("BlockRows.unblockAccount")(
    function* (blocker: Blocker, targetId: number) {
      const rows = yield* sql`
        delete from account_block where account_id = ${idOf(blocker)} and target_account_id = ${targetId} returning 1`
      if (blocker === "instance" && rows.length > 0) yield* notes.account(targetId, "unblock")
      return rows.length > 0
    },
    inTransaction(sql),
    withDatabaseErrors
  )

  const blockServer = Effect.fn("BlockRows.blockServer")(
    function* (blocker: Blocker, host: string) {
      yield* sql`insert into server (host) values (${host}) on conflict do nothing`
      const rows = yield* sql`
        insert into server_block as k (account_id, server_id)
        select ${idOf(blocker)}, id from server where host = ${host}
        on conflict (account_id, server_id) do update set by_hand = true, created_at = now() where not k.by_hand
        returning 1`
      if (rows.length === 0) return "known" as const
      if (blocker === "instance") yield* notes.server(host, "block")
      return "added" as const
    },
    inTransaction(sql),
    withDatabaseErrors
  )

  const unblockServer = Effect.fn("BlockRows.unblockServer")(
    function* (blocker: Blocker, host: string) {
      const rows = yield* sql`
        delete from server_block b using server s
        where b.account_id = ${idOf(blocker)} and s.id = b.server_id and s.host = ${host} returning 1`
      if (blocker === "instance" && rows.length > 0) yield* notes.server(host, "unblock")
      return rows.length > 0
    },
    inTransaction(sql),
    withDatabaseErrors
  )

  return BlockRows.of({ blockAccount, unblockAccount, blockServer, unblockServer })
})

/**
 * Which accounts and instances somebody mutes. What mutes hide is decided where lists are read. What a moderator does by hand
 * stands above what came by subscriptions: what was unblocked is not blocked again by the same one.
 */
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
