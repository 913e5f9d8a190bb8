import { Context } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * A client for reads that may take long: lists that filter all videos, their totals, searches. Each statement has a
 * connection to itself, so that no quick one waits behind it. There are few connections, so that many slow reads leave
 * processors to others. The server cancels those that take too long. It does not take part in transactions of
 * `SqlClient`.
 */
export class SlowSql extends Context.Service<SlowSql, SqlClient>()("@kinora/storage/database/SlowSql") {}
