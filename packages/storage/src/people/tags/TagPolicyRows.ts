import type { AutomaticTagPolicy } from "@kinora/domain/enums/AutomaticTag"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { inTransaction } from "../../platform/database/InTransaction.ts"

/** Which tags accounts chose for which policy. */
export class TagPolicyRows extends Context.Service<
  TagPolicyRows,
  {
    readonly of: (
      accountId: number,
      policy: AutomaticTagPolicy
    ) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
    /** Adds one to those that were chosen; false: it was there. */
    readonly add: (
      accountId: number,
      policy: AutomaticTagPolicy,
      name: string
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Replaces what was chosen, in the caller's transaction. */
    readonly replace: (
      accountId: number,
      policy: AutomaticTagPolicy,
      names: ReadonlyArray<string>
    ) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/people/tags/TagPolicyRows") {
  static readonly layer = Layer.effect(
    TagPolicyRows,
    Effect.map(SqlClient, (sql) =>
      TagPolicyRows.of({
        of: Effect.fn("TagPolicyRows.of")(function* (accountId, policy) {
          const rows = yield* sql<{ name: string }>`
            select name::text as name from automatic_tag_policy where account_id = ${accountId} and policy = ${policy}
            order by lower(name::text)`
          return rows.map(({ name }) => name)
        }, withDatabaseErrors),
        add: Effect.fn("TagPolicyRows.add")(function* (accountId, policy, name) {
          const added = yield* sql`
            insert into automatic_tag_policy (account_id, policy, name) values (${accountId}, ${policy}, ${name})
            on conflict do nothing returning 1`
          return added.length > 0
        }, withDatabaseErrors),
        replace: Effect.fn("TagPolicyRows.replace")(
          function* (accountId, policy, names) {
            yield* sql`select 1 from account where id = ${accountId} for no key update`
            yield* sql`delete from automatic_tag_policy where account_id = ${accountId} and policy = ${policy}`
            yield* sql`
              insert into automatic_tag_policy (account_id, policy, name)
              select ${accountId}, ${policy}, name from unnest(${names}::text[]::citext[]) n (name) on conflict do nothing`
          },
          inTransaction(sql),
          withDatabaseErrors
        )
      })
    )
  )
}
