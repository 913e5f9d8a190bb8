import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Condition: the instance itself follows somebody of a server. What its users follow does not count. */
export const followedByInstance = (sql: SqlClient, serverId: Fragment): Fragment => sql`exists (
  select from actor_follow f join actor t on t.id = f.target_actor_id and t.server_id = ${serverId}
    join actor a on a.id = f.actor_id and a.server_id is null and a.type = 'Application'
  where f.state = 'accepted'
)`
