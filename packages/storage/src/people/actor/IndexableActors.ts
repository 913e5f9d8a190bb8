import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** Who wants to be found by the words of what they publish (FEP-5feb). */
export class IndexableActors extends Context.Service<
  IndexableActors,
  {
    /** Whether all that these addresses belong to do; who is not known is not asked. */
    readonly all: (urls: ReadonlyArray<string>) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/actors/IndexableActors") {
  static readonly layer = Layer.effect(
    IndexableActors,
    Effect.map(SqlClient, (sql) =>
      IndexableActors.of({
        all: (urls) =>
          withDatabaseErrors(
            Effect.map(
              sql<{ all: boolean }>`
                select not exists (select from actor where url = any(${urls}::text[]) and not indexable) as all`,
              ([row]) => row!.all
            )
          )
      })
    )
  )
}
