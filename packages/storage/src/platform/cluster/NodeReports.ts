import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../database/DatabaseErrors.ts"

/** Writes down what the node of this address runs, for administrators who ask any node. */
export const makeNodeReports: Effect.Effect<
  (address: string, report: unknown) => Effect.Effect<void, DatabaseUnavailable>,
  never,
  SqlClient
> = Effect.map(SqlClient, (sql) =>
  Effect.fnUntraced(function* (address: string, report: unknown) {
    yield* sql`update cluster_node set report = ${JSON.stringify(report)}::jsonb where address = ${address}`
  }, withDatabaseErrors)
)
