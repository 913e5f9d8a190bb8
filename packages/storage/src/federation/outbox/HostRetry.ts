import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * Lets a host that rests be tried at once, where a condition on `h.host` holds: an administrator wants it, or it sent us something
 * and so lives. Answers a row for a host that is tried.
 */
export const retryHost = (sql: SqlClient, host: string, condition: Fragment) => sql`
  with h as materialized (select h.host from (select lower(${host}::text) as host) h where ${condition}),
  ended as (
    update delivery_host d set rest_until = null, updated_at = now() from h
    where d.host = h.host and d.rest_until is not null
  ), due as (
    update delivery d set next_attempt_at = now() from h where d.host = h.host and d.next_attempt_at > now()
  )
  select pg_notify('delivery', '1 ' || h.host) from h`
