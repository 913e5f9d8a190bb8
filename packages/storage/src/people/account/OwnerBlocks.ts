import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Selects the account in whose name the instance blocks. */
export const instanceAccount = (sql: SqlClient): Fragment => sql`
  select i.id from account i join actor ia on ia.id = i.actor_id where ia.server_id is null and ia.type = 'Application'`

/** The accounts whose blocks apply, as an array: the instance's and the viewer's. */
export const blockersOf = (sql: SqlClient, viewer: number | undefined): Fragment =>
  sql`array(${instanceAccount(sql)} union all select ${viewer ?? null}::int)`

/** Condition on `video_playlist p`: none of these accounts blocks the owner. */
export const ownerNotBlocked = (sql: SqlClient, blockers: Fragment): Fragment => sql`
  p.owner_account_id not in (select b.target_account_id from account_block b where b.account_id = any(${blockers}))
  and not exists (
    select 1 from account ba join actor bo on bo.id = ba.actor_id
    join server_block b on b.server_id = bo.server_id and b.account_id = any(${blockers}) where ba.id = p.owner_account_id
  )`
