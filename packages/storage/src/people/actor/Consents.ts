import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** What an actor wants to be found by; undefined keeps it. */
export interface Consents {
  /** By the words of what it publishes (FEP-5feb). */
  readonly indexable?: boolean | undefined
  /** In suggestions and directories. */
  readonly discoverable?: boolean | undefined
}

/** Within the caller's transaction. Others are told by what the database does when it changes. */
export const setConsents = (
  sql: SqlClient,
  actorId: number,
  { discoverable, indexable }: Consents
): Effect.Effect<unknown, SqlError> =>
  discoverable === undefined && indexable === undefined
    ? Effect.void
    : sql`
        update actor set indexable = coalesce(${indexable ?? null}::boolean, indexable),
          discoverable = coalesce(${discoverable ?? null}::boolean, discoverable), updated_at = now()
        where id = ${actorId} and server_id is null`
