import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { compactFeedVersion } from "./FeedVersionUpkeep.ts"
import { makeFreshRead } from "./FreshReads.ts"

/** How often what feeds are made of has changed, and when that was read: milliseconds by the database's clock. */
export interface FeedMoment {
  readonly version: string
  readonly now: number
}

/** Connections come and go; each leaves a row that every read adds up. */
const compactEvery = Duration.hours(1)

/** The number of changes to what feeds are made of: every node reads the same, from the commit of each change on. */
export class FeedVersion extends Context.Service<
  FeedVersion,
  { readonly current: Effect.Effect<FeedMoment, DatabaseUnavailable> }
>()("@kinora/storage/feeds/FeedVersion") {
  static readonly layer = Layer.effect(
    FeedVersion,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const scope = yield* Effect.scope
      const compact = withDatabaseErrors(compactFeedVersion(sql))
      yield* compact
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.delay(
            Effect.ignore(compact, { log: "Warn", message: "Versions of feeds could not be put together" }),
            compactEvery
          )
        )
      )
      const read = withDatabaseErrors(
        Effect.map(
          sql<FeedMoment>`
            select coalesce(sum(version), 0)::text as version,
              (extract(epoch from clock_timestamp()) * 1000)::float8 as now from feed_version
          `,
          (rows) => rows[0]!
        )
      )
      return FeedVersion.of({ current: makeFreshRead(read, scope) })
    })
  )
}
