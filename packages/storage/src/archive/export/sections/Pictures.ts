import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Images of an actor (contract: ImageExportJSON). */
export const actorPictures = (sql: SqlClient, actorId: Fragment, type: 1 | 2) => sql`(
  select coalesce(json_agg(json_build_object(
    'width', i.width, 'height', i.height,
    'url', wire_origin() || ${type === 1 ? "/lazy-static/avatars/" : "/lazy-static/banners/"}::text || i.filename,
    'createdAt', wire_time(i.created_at), 'updatedAt', wire_time(i.updated_at)
  ) order by i.width desc), '[]') from actor_image i where i.actor_id = ${actorId} and i.type = ${type}::smallint
)`

/** File name of an actor's largest image. Null if we have none. */
export const largestPicture = (sql: SqlClient, actorId: Fragment, type: 1 | 2) => sql`(
  select i.filename from actor_image i
  where i.actor_id = ${actorId} and i.type = ${type}::smallint and i.remote_url is null order by i.width desc limit 1
)`

/** Name and host of an actor, local or not. */
export const handleOf = (sql: SqlClient, actorId: Fragment) => sql`(
  select h.preferred_username::text || '@' || coalesce(hs.host::text, wire_host(wire_origin()))
  from actor h left join server hs on hs.id = h.server_id where h.id = ${actorId}
)`
