import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** What the instance's own actor says of itself. */
export class InstanceProfile extends Context.Service<
  InstanceProfile,
  {
    /** Its followers receive an Update when it changes. */
    readonly set: (profile: {
      readonly name: string
      readonly description: string
    }) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/activitypub/InstanceProfile") {
  static readonly layer = Layer.effect(
    InstanceProfile,
    Effect.map(SqlClient, (sql) =>
      InstanceProfile.of({
        set: ({ description, name }) =>
          withDatabaseErrors(
            Effect.asVoid(sql`
              update account set display_name = ${name}::text, description = nullif(${description}::text, ''), updated_at = now()
              where actor_id = instance_actor()
                and (display_name, coalesce(description, '')) is distinct from (${name}::text, ${description}::text)`)
          )
      })
    )
  )
}
