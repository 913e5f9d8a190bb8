import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** Has lists show the videos of others that somebody here follows, and no others (sql/federation/functions/listing.sql). */
export class FollowedListings extends Context.Service<
  FollowedListings,
  {
    /** Looks at up to so many videos of somebody who is followed from now on, or no more. False: there is nobody left. */
    readonly apply: (atMost: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/follows/FollowedListings") {
  static readonly layer = Layer.effect(
    FollowedListings,
    Effect.map(SqlClient, (sql) =>
      FollowedListings.of({
        apply: (atMost) =>
          withDatabaseErrors(
            Effect.map(
              sql<{ applied: boolean }>`select apply_listing_change(${atMost}::integer) as applied`,
              ([row]) => row!.applied
            )
          )
      })
    )
  )
}
