import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

type Action = "block" | "unblock"

/** Notes what moderators do by hand: in the log that others may read, and on what came by subscriptions. */
export const blockNotes = (sql: SqlClient) => {
  const note = Effect.fnUntraced(function* (target: Fragment, action: Action) {
    yield* sql`
      insert into blocklist_log (host, name, action) select t.host, t.name, ${action} from (${target}) t
      on conflict (host, name) do update set action = excluded.action, created_at = clock_timestamp()`
    yield* sql`
      update blocklist_entry e set lifted = ${action === "unblock"}
      from (${target}) t where e.host = t.host and e.name = t.name`
  })

  return {
    account: (accountId: number, action: Action) =>
      note(
        sql`
          select coalesce(s.host, '') as host, a.preferred_username as name
          from account c join actor a on a.id = c.actor_id left join server s on s.id = a.server_id where c.id = ${accountId}`,
        action
      ),
    server: (host: string, action: Action) => note(sql`select ${host}::citext as host, ''::citext as name`, action)
  }
}
