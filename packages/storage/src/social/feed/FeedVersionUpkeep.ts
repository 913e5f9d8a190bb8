import type { SqlClient } from "effect/sql/SqlClient"

/** Adds up what connections that have ended counted: the sum stays what it is. */
export const compactFeedVersion = (sql: SqlClient) => sql`
  with gone as (
    delete from feed_version where backend <> 0 and backend not in (select pid from pg_stat_activity) returning version
  )
  insert into feed_version as v (backend, version)
  select 0, sum(version) from gone having count(*) > 0
  on conflict (backend) do update set version = v.version + excluded.version`
