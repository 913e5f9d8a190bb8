import {
  type WebhookDeliveryState,
  webhookDeliveryStates,
  webhookDisabledReasons
} from "@kinora/domain/enums/WebhookEvent"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Webhook, WebhookDelivery } from "@kinora/domain/wire/Webhook"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** A page of a list. */
export interface WebhookPage {
  readonly start: number
  readonly count: number
  readonly descending: boolean
}

interface Part<A> {
  readonly total: number
  readonly data: ReadonlyArray<A>
}

type WebhookRow = Omit<Webhook, "disabledReason"> & { readonly disabledReason: number | null }
type DeliveryRow = Omit<WebhookDelivery, "state" | "id"> & { readonly state: number; readonly id: string }

const webhookOf = (row: WebhookRow): Webhook => ({
  ...row,
  disabledReason: row.disabledReason === null ? null : webhookDisabledReasons[row.disabledReason - 1]!
})

const deliveryOf = (row: DeliveryRow): WebhookDelivery => ({
  ...row,
  id: Number(row.id),
  state: webhookDeliveryStates[row.state - 1]!
})

/** Webhooks, and what they were sent. */
export class WebhookLists extends Context.Service<
  WebhookLists,
  {
    /** `disabled`: only those that the instance made inactive, or only the others. */
    readonly list: (
      page: WebhookPage & { readonly disabled?: boolean | undefined }
    ) => Effect.Effect<Part<Webhook>, DatabaseUnavailable>
    readonly byId: (id: number) => Effect.Effect<Option.Option<Webhook>, DatabaseUnavailable>
    readonly deliveries: (
      webhookId: number,
      page: WebhookPage & { readonly state?: WebhookDeliveryState | undefined }
    ) => Effect.Effect<Part<WebhookDelivery>, DatabaseUnavailable>
  }
>()("@kinora/storage/instance/webhook/WebhookLists") {
  static readonly layer = Layer.effect(
    WebhookLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = sql`
        w.id, w.url, w.description, w.events, w.active, w.disabled_reason as "disabledReason",
        wire_time(w.failing_since) as "failingSince", wire_time(w.created_at) as "createdAt",
        wire_time(w.updated_at) as "updatedAt",
        (select count(*)::int from webhook_delivery d where d.webhook_id = w.id and d.state = 1) as waiting,
        (select count(*)::int from webhook_delivery d where d.webhook_id = w.id and d.state = 3) as failed,
        (select wire_time(max(d.attempted_at)) from webhook_delivery d where d.webhook_id = w.id and d.state = 2)
          as "lastDeliveredAt"`

      const list = Effect.fn("WebhookLists.list")(function* ({
        count,
        descending,
        disabled = null,
        start
      }: WebhookPage & { readonly disabled?: boolean | undefined | null }) {
        const way = sql.literal(descending ? "desc" : "asc")
        const within = sql`${disabled}::boolean is null or (w.disabled_reason is not null) = ${disabled}::boolean`
        const totals = yield* sql<{ total: number }>`select count(*)::int as total from webhook w where ${within}`
        const rows = yield* sql<WebhookRow>`
          select ${columns} from webhook w where ${within} order by w.created_at ${way}, w.id ${way} limit ${count} offset ${start}`
        return { total: totals[0]!.total, data: rows.map(webhookOf) }
      }, withDatabaseErrors)

      const byId = Effect.fn("WebhookLists.byId")(function* (id: number) {
        const rows = yield* sql<WebhookRow>`select ${columns} from webhook w where w.id = ${id}`
        return Option.map(Option.fromUndefinedOr(rows[0]), webhookOf)
      }, withDatabaseErrors)

      const deliveries = Effect.fn("WebhookLists.deliveries")(function* (
        webhookId: number,
        { count, descending, start, state }: WebhookPage & { readonly state?: WebhookDeliveryState | undefined }
      ) {
        const way = sql.literal(descending ? "desc" : "asc")
        const wanted = state === undefined ? null : webhookDeliveryStates.indexOf(state) + 1
        const within = sql`webhook_id = ${webhookId} and (${wanted}::smallint is null or state = ${wanted}::smallint)`
        const totals = yield* sql<{ total: number }>`
          select count(*)::int as total from webhook_delivery where ${within}`
        const rows = yield* sql<DeliveryRow>`
          select id::text as id, message_id::text as "messageId", type, state, attempts,
            case when state = 1 then wire_time(next_at) end as "nextAttemptAt", wire_time(attempted_at) as "attemptedAt",
            duration as "durationMs", status, answer, error, body, wire_time(created_at) as "createdAt"
          from webhook_delivery where ${within} order by id ${way} limit ${count} offset ${start}`
        return { total: totals[0]!.total, data: rows.map(deliveryOf) }
      }, withDatabaseErrors)

      return WebhookLists.of({ list, byId, deliveries })
    })
  )
}
