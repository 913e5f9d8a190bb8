import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { failWaiting } from "./WebhookRows.ts"

/** A webhook whose line this node holds. */
export interface HeldWebhook {
  readonly id: number
  readonly url: string
  readonly sealedSecret: string
  /** The one before it, while it signs as well. */
  readonly formerSealedSecret: string | null
  /** Names this hold: a node whose lease was lost changes nothing any more. */
  readonly leaseToken: string
  readonly silentTimes: number
  readonly failingSince: Date | null
}

/** A message that is due. */
export interface DueDelivery {
  /** A bigint, which is too large for numbers. */
  readonly id: string
  readonly messageId: string
  readonly type: string
  readonly body: string
  /** Before this one, since it was made or replayed. */
  readonly attempts: number
  readonly queuedAt: Date
}

/** What one attempt came to, for the log. */
export interface AttemptResult {
  /** Milliseconds since 1970. */
  readonly attemptedAt: number
  /** In milliseconds. */
  readonly duration: number
  readonly status: number | null
  readonly answer: string | null
  readonly error: string | null
  /** What becomes of the delivery. */
  readonly outcome:
    | { readonly _tag: "Delivered" }
    | { readonly _tag: "Later"; readonly waitMillis: number }
    | { readonly _tag: "Failed" }
  /** What becomes of its webhook, besides. `Rests`: it is left alone for so long. */
  readonly webhook:
    | { readonly _tag: "Answers" }
    | { readonly _tag: "Rests"; readonly restMillis: number; readonly silent: boolean }
    | { readonly _tag: "Disabled"; readonly reason: 1 | 2 }
}

/** A node that does not extend its lease within this time has died. Longer than an attempt takes. */
const leaseSeconds = 60

/** What is sent to webhooks. Each is served by one node at a time, which holds its lease. */
export class WebhookDeliveries extends Context.Service<
  WebhookDeliveries,
  {
    /** Takes the line of a webhook for which something is due and which nobody holds. */
    readonly hold: Effect.Effect<Option.Option<HeldWebhook>, DatabaseUnavailable>
    /** Extends the lease and gives what is due next. None: nothing is, or the line is no longer this node's. */
    readonly next: (webhook: HeldWebhook) => Effect.Effect<Option.Option<DueDelivery>, DatabaseUnavailable>
    /**
     * Writes down what an attempt came to. Nothing, where the line is no longer this node's. Answers the description of the
     * webhook if that made it inactive.
     */
    readonly settle: (
      webhook: HeldWebhook,
      delivery: DueDelivery,
      result: AttemptResult
    ) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
    /** Gives the line back; those that were not held for longer come first. */
    readonly release: (webhook: HeldWebhook) => Effect.Effect<void, DatabaseUnavailable>
    /** Adds a message to one webhook in the caller's transaction; gives its row id. */
    readonly add: (message: {
      readonly webhookId: number
      readonly messageId: string
      readonly type: string
      readonly body: string
    }) => Effect.Effect<number, DatabaseUnavailable>
    /** Has one delivery wait again. False: there is none. */
    readonly replay: (webhookId: number, deliveryId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Has all that were made since a time and have failed wait again. Gives how many. */
    readonly replayFailed: (webhookId: number, since: string) => Effect.Effect<number, DatabaseUnavailable>
    /** Removes at most `count` that came to their end and are older than this. Gives how many. */
    readonly removeOld: (days: number, count: number) => Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/instance/webhook/WebhookDeliveries") {
  static readonly layer = Layer.effect(
    WebhookDeliveries,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const hold = sql<HeldWebhook>`
        update webhook set lease_token = gen_random_uuid(), lease_until = now() + ${leaseSeconds} * interval '1 second'
        where id = (
          select w.id from webhook w
          where w.active and w.lease_until < now() and w.rest_until <= now() and exists (
            select from webhook_delivery d where d.webhook_id = w.id and d.state = 1 and d.next_at <= now())
          order by w.lease_until, w.id limit 1 for update skip locked)
        returning id, url, sealed_secret as "sealedSecret",
          case when former_until > now() then former_sealed_secret end as "formerSealedSecret", lease_token::text as "leaseToken",
          silent_times as "silentTimes", failing_since as "failingSince"`.pipe(
        Effect.map((rows) => Option.fromUndefinedOr(rows[0])),
        withDatabaseErrors,
        Effect.withSpan("WebhookDeliveries.hold")
      )

      const next = Effect.fn("WebhookDeliveries.next")(function* ({ id, leaseToken }: HeldWebhook) {
        const rows = yield* sql<DueDelivery>`
          with ours as (
            update webhook set lease_until = now() + ${leaseSeconds} * interval '1 second'
            where id = ${id} and lease_token = ${leaseToken}::uuid and active and rest_until <= now() returning id)
          select d.id::text as id, d.message_id::text as "messageId", d.type, d.body, d.attempts, d.queued_at as "queuedAt"
          from ours join webhook_delivery d on d.webhook_id = ours.id
          where d.state = 1 and d.next_at <= now() order by d.next_at, d.id limit 1`
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const settle = Effect.fn("WebhookDeliveries.settle")(
        function* ({ id, leaseToken }: HeldWebhook, delivery: DueDelivery, result: AttemptResult) {
          const ours = yield* sql`
            select 1 from webhook where id = ${id} and lease_token = ${leaseToken}::uuid for update`
          if (ours.length === 0) return Option.none()
          const { answer, attemptedAt, duration, error, outcome, status, webhook } = result
          const wait = outcome._tag === "Later" ? outcome.waitMillis : 0
          const state = outcome._tag === "Later" ? 1 : outcome._tag === "Delivered" ? 2 : 3
          // One that was ended meanwhile, because the webhook became inactive, still shows that it was delivered.
          yield* sql`
            update webhook_delivery set attempts = attempts + 1, attempted_at = to_timestamp(${attemptedAt}::float8 / 1000), duration = ${duration},
              status = ${status}, answer = ${answer}, error = ${error},
              state = case when state = 1 or ${state}::smallint = 2 then ${state}::smallint else state end,
              next_at = now() + ${wait} * interval '1 millisecond'
            where id = ${delivery.id}::bigint`
          if (webhook._tag === "Answers") {
            yield* sql`
              update webhook set silent_times = 0,
                failing_since = case when ${state}::smallint = 2 then null else coalesce(failing_since, now()) end
              where id = ${id}`
          } else if (webhook._tag === "Rests") {
            yield* sql`
              update webhook set rest_until = now() + ${webhook.restMillis} * interval '1 millisecond',
                failing_since = coalesce(failing_since, now()),
                silent_times = case when ${webhook.silent}::boolean then silent_times + 1 else 0 end
              where id = ${id}`
          } else {
            const [disabled] = yield* sql<{ description: string }>`
              update webhook set active = false, disabled_reason = ${webhook.reason}, updated_at = now(),
                failing_since = coalesce(failing_since, now())
              where id = ${id} and active returning description`
            yield* failWaiting(sql, id)
            return Option.map(Option.fromUndefinedOr(disabled), ({ description }) => description)
          }
          return Option.none()
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const again = sql`state = 1, attempts = 0, next_at = now(), queued_at = now()`

      return WebhookDeliveries.of({
        hold,
        next,
        settle,
        release: ({ id, leaseToken }) =>
          withDatabaseErrors(
            Effect.asVoid(sql`
              update webhook set lease_token = null, lease_until = now()
              where id = ${id} and lease_token = ${leaseToken}::uuid`)
          ),
        add: ({ body, messageId, type, webhookId }) =>
          sql<{ id: string }>`
            insert into webhook_delivery (webhook_id, message_id, type, body)
            values (${webhookId}, ${messageId}::uuid, ${type}, ${body}) returning id::text as id`.pipe(
            Effect.map((rows) => Number(rows[0]!.id)),
            withDatabaseErrors
          ),
        replay: (webhookId, deliveryId) =>
          sql`update webhook_delivery set ${again} where id = ${deliveryId} and webhook_id = ${webhookId} returning id`.pipe(
            Effect.map((rows) => rows.length > 0),
            withDatabaseErrors
          ),
        replayFailed: (webhookId, since) =>
          sql`
            update webhook_delivery set ${again}
            where webhook_id = ${webhookId} and state = 3 and created_at >= ${since}::timestamptz returning id`.pipe(
            Effect.map((rows) => rows.length),
            withDatabaseErrors
          ),
        removeOld: (days, count) =>
          sql`
            delete from webhook_delivery where id in (
              select id from webhook_delivery
              where state <> 1 and created_at < now() - ${days} * interval '1 day' limit ${count})
            returning id`.pipe(
            Effect.map((rows) => rows.length),
            withDatabaseErrors
          )
      })
    })
  )
}
