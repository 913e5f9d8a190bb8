import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { InboxRoutes } from "../../../src/federation/inbox/InboxRoutes.ts"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { loopbackFetching, testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"
import type { Overrides } from "../../../src/platform/config/Config.ts"
import type { HttpOptions } from "../../../src/platform/http/HttpOptions.ts"

/** A test node with inboxes; what comes is applied, and nothing is swept. */
export const inboxNode = (
  overrides: Overrides = {},
  fetching = loopbackFetching,
  rateLimits: HttpOptions["rateLimits"] = {}
) =>
  layerServe(Layer.merge(testRoutes, InboxRoutes), { ...testOptions, rateLimits }).pipe(
    Layer.provideMerge(testServices(overrides, fetching))
  )

export interface RowState {
  readonly state: string
  readonly error: string | null
}

/** What became of an activity, once nothing waits any more. */
export const settled = Effect.fn("settled")(function* (uri?: string) {
  const sql = yield* SqlClient
  yield* sql`select 1 as waits from inbox_activity where state = 'waiting' and not_before is null limit 1`.pipe(
    Effect.filterOrFail((rows) => rows.length === 0),
    Effect.retry(Schedule.max([Schedule.spaced("20 millis"), Schedule.recurs(500)])),
    Effect.orDie
  )
  const rows = yield* sql<RowState>`
    select state, error from inbox_activity where ${uri ?? null}::text is null or uri = ${uri ?? null} order by id desc limit 1`
  return rows[0]
})
