import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import type { DueHost } from "./Deliveries.ts"

/** An activity with what it takes to sign it. */
export interface OutgoingActivity {
  readonly uri: string
  /** Name of its context. */
  readonly context: string
  /** JSON text without its context and signature. */
  readonly body: string
  /** The complete document, once it was made. */
  readonly document: string | null
  /** Address of the actor that signs, and its private key (PEM). */
  readonly sender: string
  readonly privateKey: string
}

/** Where something is due. `well`: it took something, and has not failed since. */
export interface SweptHost extends DueHost {
  readonly well: boolean
}

/** What has to be sent, without to whom: that is of `Deliveries`. */
export class OutgoingActivities extends Context.Service<
  OutgoingActivities,
  {
    /** None: it was taken back, or nobody is left to sign it. */
    readonly byId: (activityId: string) => Effect.Effect<Option.Option<OutgoingActivity>, DatabaseUnavailable>
    /** Keeps the document of an activity, and gives the one that is kept: another node may have been first. */
    readonly keepDocument: (activityId: string, document: string) => Effect.Effect<string, DatabaseUnavailable>
    /**
     * Makes the deliveries of the activity that has waited for that longest, of those that go to many hosts. False: there was
     * none.
     */
    readonly expand: Effect.Effect<boolean, DatabaseUnavailable>
    /** Hosts with something due now: those that are well first, those that fail last. */
    readonly sweep: Effect.Effect<ReadonlyArray<SweptHost>, DatabaseUnavailable>
  }
>()("@kinora/storage/outbox/OutgoingActivities") {
  static readonly layer = Layer.effect(
    OutgoingActivities,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const byId = Effect.fnUntraced(function* (activityId: string) {
        const rows = yield* sql<OutgoingActivity>`
          select a.uri, a.context, a.body::text as body, a.document, a.sender,
            coalesce(a.private_key, s.private_key) as "privateKey"
          from activity a left join actor s on s.id = a.actor_id
          where a.id = ${activityId}::bigint and coalesce(a.private_key, s.private_key) is not null`
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const keepDocument = Effect.fnUntraced(function* (activityId: string, document: string) {
        const rows = yield* sql<{ document: string }>`
          update activity set document = coalesce(document, ${document}) where id = ${activityId}::bigint returning document`
        return rows[0]?.document ?? document
      }, withDatabaseErrors)

      // Who asks meanwhile waits for the row that is taken, so that none overtakes another.
      const expand = sql`
        with oldest as (
          delete from delivery_fanout where activity_id = (
            select f.activity_id from delivery_fanout f order by f.activity_id limit 1 for update
          ) returning *
        ), made as (
          insert into delivery (activity_id, inbox_url, host, lane, created_at)
          select o.activity_id, i, inbox_host(i), o.lane, o.created_at from oldest o, unnest(o.inboxes) i
        )
        select 1 from oldest`.pipe(
        Effect.map((rows) => rows.length > 0),
        withDatabaseErrors,
        Effect.withSpan("OutgoingActivities.expand")
      )

      const sweep = sql<SweptHost>`select host, part, well from due_hosts()`.pipe(
        withDatabaseErrors,
        Effect.withSpan("OutgoingActivities.sweep")
      )

      return OutgoingActivities.of({ byId, keepDocument, expand, sweep })
    })
  )
}
