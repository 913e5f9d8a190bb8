import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Selects the account in whose name the instance blocks. */
export const instanceAccount = (sql: SqlClient): Fragment => sql`
  select i.id from account i join actor ia on ia.id = i.actor_id where ia.server_id is null and ia.type = 'Application'`

/** The accounts whose blocks apply, as an array: the instance's and the viewer's. */
export const blockersOf = (sql: SqlClient, viewer: number | undefined): Fragment =>
  sql`array(${instanceAccount(sql)} union all select ${viewer ?? null}::int)`

const accountBlock = (account: string, blockers: string) =>
  `from account_block k where k.account_id = any(${blockers}) and k.target_account_id = ${account}`
const serverBlock = (server: string, blockers: string) =>
  `from server_block k where k.account_id = any(${blockers}) and k.server_id = ${server}`

/**
 * Conditions that none of the accounts of the array `blockers` blocks the account and the server in these columns: `lookups` by
 * primary key, for a walk that ends after a page, which the planner takes for one through everything; `hashed`, a set of all that is
 * blocked, for counts of most rows there are; and `either`, as the planner sees fit by how many rows are left and blocked. `is not true`
 * keeps it from joining there: what it expects to be left decides about the rest of its plan.
 */
export const noneBlocked = {
  lookups: (account: string, server: string, blockers: string): ReadonlyArray<string> => [
    `not ${accountBlocked(account, blockers)}`,
    `not ${serverBlocked(server, blockers)}`
  ],
  hashed: (account: string, server: string, blockers: string): ReadonlyArray<string> => [
    `${account} not in (select target_account_id from account_block where account_id = any(${blockers}))`,
    `(${server} is null or ${server} not in (select server_id from server_block where account_id = any(${blockers})))`
  ],
  either: (account: string, server: string, blockers: string): ReadonlyArray<string> => [
    `(exists (select ${accountBlock(account, blockers)})) is not true`,
    `(exists (select ${serverBlock(server, blockers)})) is not true`
  ]
}

/** Whether one of them blocks the account, or the server: a lookup by primary key. */
export const accountBlocked = (account: string, blockers: string): string =>
  `coalesce((select true ${accountBlock(account, blockers)} limit 1), false)`
export const serverBlocked = (server: string, blockers: string): string =>
  `coalesce((select true ${serverBlock(server, blockers)} limit 1), false)`

/** `lookups` as a fragment. */
export const notBlocked = (sql: SqlClient, account: string, server: string, blockers: Fragment): Fragment => sql`
  (select true from account_block k where k.account_id = any(${blockers}) and k.target_account_id = ${sql.literal(account)}
    limit 1) is not true
  and (select true from server_block k where k.account_id = any(${blockers}) and k.server_id = ${sql.literal(server)}
    limit 1) is not true`

/** Condition on `video_playlist p`: none of these accounts blocks the owner. */
export const ownerNotBlocked = (sql: SqlClient, blockers: Fragment): Fragment =>
  notBlocked(
    sql,
    "p.owner_account_id",
    "(select o.server_id from account c join actor o on o.id = c.actor_id where c.id = p.owner_account_id)",
    blockers
  )
