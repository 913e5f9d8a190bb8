import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** Something that others are still to be sent, as administrators read it beside the jobs. */
export interface BacklogEntry {
  readonly id: string
  readonly type: "activitypub-http-unicast" | "activitypub-http-broadcast" | "federate-video"
  readonly state: "waiting" | "delayed"
  /** What it is about, or where it goes. */
  readonly subject: string
  readonly attempts: number
  readonly error: string | null
  readonly createdAt: Date
}

export interface BacklogQuery {
  readonly states: ReadonlyArray<string>
  readonly type?: string | undefined
  /** The first so many, in order of creation. */
  readonly count: number
  readonly oldestFirst: boolean
}

/**
 * What federation still has to do of what has happened here: changes of which no activity was made yet, counts that are sent
 * when their time has come, and deliveries. None of these are jobs of the board, but whoever waits until nothing is left to do
 * waits for them as well.
 */
export class FederationBacklog extends Context.Service<
  FederationBacklog,
  {
    readonly list: (
      query: BacklogQuery
    ) => Effect.Effect<{ readonly total: number; readonly data: ReadonlyArray<BacklogEntry> }, DatabaseUnavailable>
  }
>()("@kinora/storage/outbox/FederationBacklog") {
  static readonly layer = Layer.effect(
    FederationBacklog,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      // Counts that are due within seconds are as good as due.
      const entries = sql`
        select * from (
          select 'delivery ' || coalesce(id::text, activity_id || ' ' || inbox_url) as id,
            case when id is null then 'activitypub-http-broadcast' else 'activitypub-http-unicast' end as type,
            case when next_attempt_at > now() then 'delayed' else 'waiting' end as state, inbox_url as subject, attempts,
            last_error as error, created_at
          from waiting_delivery
          union all
          select 'change ' || id, case kind when 'video' then 'federate-video' else 'activitypub-http-broadcast' end,
            case when due > now() then 'delayed' else 'waiting' end, kind || ' ' || thing_id, failures, error, created_at
          from outbox_change
          union all
          select 'counts of video ' || video_id, 'federate-video', 'waiting', 'video ' || video_id, 0, null, due from video_recount
          union all
          select 'counts of actor ' || actor_id, 'activitypub-http-broadcast', 'waiting', 'actor ' || actor_id, 0, null, due
          from actor_recount
        ) b`

      const list = Effect.fn("FederationBacklog.list")(function* (query: BacklogQuery) {
        const matching = sql.and([
          sql`state = any(${query.states}::text[])`,
          query.type === undefined ? sql`true` : sql`type = ${query.type}`
        ])
        const order = sql.literal(query.oldestFirst ? "created_at, id" : "created_at desc, id desc")
        const data = yield* sql<BacklogEntry>`
          select id, type, state, subject, attempts, error, created_at as "createdAt" from (${entries}) e
          where ${matching} order by ${order} limit ${query.count}`
        const totals = yield* sql<{ total: number }>`select count(*) as total from (${entries}) e where ${matching}`
        return { total: totals[0]!.total, data }
      }, withDatabaseErrors)

      return FederationBacklog.of({ list })
    })
  )
}
