import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { instanceAccount } from "./OwnerBlocks.ts"

/** Finds the instance's own account, which its rules belong to. Undefined: the instance is not set up yet. */
export const makeInstanceAccount = (sql: SqlClient) => {
  // Made at installation, never replaced.
  let known: number | undefined
  const find = Effect.map(sql<{ id: number }>`${instanceAccount(sql)} order by i.id limit 1`, (rows) => {
    known = rows[0]?.id
    return known
  })
  return Effect.suspend(() => (known === undefined ? find : Effect.succeed(known)))
}

/** The instance's own account. */
export class InstanceAccount extends Context.Service<
  InstanceAccount,
  { readonly id: Effect.Effect<number, DatabaseUnavailable> }
>()("@kinora/storage/people/account/InstanceAccount") {
  static readonly layer = Layer.effect(
    InstanceAccount,
    Effect.map(SqlClient, (sql) => {
      const find = makeInstanceAccount(sql)
      return InstanceAccount.of({
        id: withDatabaseErrors(
          Effect.flatMap(find, (id) =>
            id === undefined ? Effect.die("the instance has no account") : Effect.succeed(id)
          )
        )
      })
    })
  )
}
