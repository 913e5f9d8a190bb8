import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** Usage figures for NodeInfo. */
export interface Usage {
  readonly users: number
  readonly activeMonth: number
  readonly activeHalfyear: number
  readonly localPosts: number
  readonly localComments: number
}

/** Counts over the whole instance. Callers should cache the result. */
export class InstanceCounts extends Context.Service<
  InstanceCounts,
  {
    readonly usage: Effect.Effect<Usage, DatabaseUnavailable>
    /** Received activities that are not applied yet. */
    readonly activitiesWaiting: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/instance/InstanceCounts") {
  static readonly layer = Layer.effect(
    InstanceCounts,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const usage = Effect.gen(function* () {
        const rows = yield* sql<Usage>`
          select count(*)::int as users,
            (count(*) filter (where last_login_at > now() - interval '30 days'))::int as "activeMonth",
            (count(*) filter (where last_login_at > now() - interval '180 days'))::int as "activeHalfyear",
            (select count(*) from video where listed and not remote)::int as "localPosts",
            (select coalesce(sum(comments), 0) from video where not remote)::int as "localComments"
          from app_user
        `
        return rows[0]!
      }).pipe(withDatabaseErrors, Effect.withSpan("InstanceCounts.usage"))

      const activitiesWaiting = Effect.gen(function* () {
        const rows = yield* sql<{ waiting: number }>`
          select count(*)::int as waiting from inbox_activity
          where state = 'waiting' and (not_before is null or not_before <= now())
        `
        return rows[0]!.waiting
      }).pipe(withDatabaseErrors, Effect.withSpan("InstanceCounts.activitiesWaiting"))

      return InstanceCounts.of({ usage, activitiesWaiting })
    })
  )
}
