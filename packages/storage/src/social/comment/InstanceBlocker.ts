import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { CommentReader } from "./CommentReader.ts"

/** The accounts whose blocks hide comments from a reader: the instance's own, and the reader's. */
export const makeInstanceBlocker = (sql: SqlClient) => {
  // Made at installation, never replaced.
  let instance: number | undefined
  const find = Effect.map(
    sql<{ id: number }>`
      select c.id from account c join actor a on a.id = c.actor_id
      where a.server_id is null and a.type = 'Application' order by c.id limit 1`,
    (rows) => (instance = rows[0]?.id)
  )
  return (reader?: Pick<CommentReader, "accountId">): Effect.Effect<ReadonlyArray<number>, SqlError> => {
    const others = reader === undefined ? [] : [reader.accountId]
    return instance === undefined
      ? Effect.map(find, (id) => (id === undefined ? others : [id, ...others]))
      : Effect.succeed([instance, ...others])
  }
}
