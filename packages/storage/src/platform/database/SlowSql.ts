import { Context } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * A client for reads that may take long: lists that filter among all videos, their totals, searches. Each has a connection
 * to itself, so that nothing quick waits behind it, there are few of them, so that many at once leave the processors to
 * others, and the server ends those that take too long. Has no part in transactions of `SqlClient`.
 */
export class SlowSql extends Context.Service<SlowSql, SqlClient>()("@kinora/storage/database/SlowSql") {}
