import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { SqlClient } from "effect/sql/SqlClient"

/** Condition: actor `a` has this handle. Our own host means a local actor. */
export const isActorNamed = (sql: SqlClient, handle: ActorHandle) =>
  handle.host === null
    ? sql`a.preferred_username = ${handle.name}::citext and a.server_id is null`
    : sql`a.preferred_username = ${handle.name}::citext and (
        case when ${handle.host} = lower(wire_host(wire_origin())) then a.server_id is null
        else a.server_id = (select id from server where host = ${handle.host}::citext) end)`
