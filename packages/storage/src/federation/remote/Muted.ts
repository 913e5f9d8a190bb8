import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Whether the instance, or the account `by`, has muted an account or all of its instance. Both are columns, with their table. */
export const isMuted = (sql: SqlClient, account: string, by: string): Fragment => sql`
  exists (
    select from account muted_account join actor muted_actor on muted_actor.id = muted_account.actor_id, (
      select ${sql.literal(by)} as id
      union all
      select o.id from account o join actor a on a.id = o.actor_id
        where a.preferred_username = 'peertube' and a.server_id is null
    ) muting
    where muted_account.id = ${sql.literal(account)} and (
      exists (select from account_block b where b.account_id = muting.id and b.target_account_id = muted_account.id)
      or exists (select from server_block b where b.account_id = muting.id and b.server_id = muted_actor.server_id)
    )
  )`
