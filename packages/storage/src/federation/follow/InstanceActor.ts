import type { SqlClient } from "effect/sql/SqlClient"

/** The id of the actor the instance itself follows and is followed by, as a scalar subquery. */
export const instanceActor = (sql: SqlClient) =>
  sql`(select id from actor where preferred_username = 'peertube'::citext and server_id is null)`
