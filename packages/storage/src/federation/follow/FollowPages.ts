import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { jsonPage, limit } from "../../platform/database/JsonPage.ts"

/**
 * One page of follows as JSON text (contract: ActorFollow), with their total.
 *
 * @param from `from actor_follow f …` with its conditions
 * @param order what it is ordered by; never equal for two rows
 */
export const followPage = (
  sql: SqlClient,
  from: Fragment,
  order: Fragment,
  page: { readonly start: number; readonly count: number }
) =>
  jsonPage(
    sql,
    sql`select count(*) ${from}`,
    sql`
      select (
        select row_to_json(x)::text from (
          select p.id, wire_actor(p.actor_id)::json as follower, wire_actor(p.target_actor_id)::json as following,
            p.score, p.state, wire_time(p.created_at) as "createdAt", wire_time(p.updated_at) as "updatedAt"
        ) x
      ) as item, p.position
      from (
        select f.*, row_number() over (order by ${order}) as position ${from}
        order by ${order} ${limit(sql, page)}
      ) p`
  )
