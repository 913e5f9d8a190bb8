import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** How an actor wants to be found. Undefined keeps the value. */
export interface Consents {
  /** By full-text search in its publications (FEP-5feb). */
  readonly indexable?: boolean | undefined
  /** In suggestions and directories. */
  readonly discoverable?: boolean | undefined
}

/** In the caller's transaction. Database triggers send the change to other instances. */
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
