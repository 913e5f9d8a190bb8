import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** Actors that allow full-text search in their publications (FEP-5feb). */
export class IndexableActors extends Context.Service<
  IndexableActors,
  {
    /** Whether the actors of all these URLs do. Unknown ones are ignored. */
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
