import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import {
  type AttemptResult,
  type DueDelivery,
  type HeldWebhook,
  WebhookDeliveries
} from "@kinora/storage/instance/webhook/WebhookDeliveries"
import { administratorAddresses } from "@kinora/storage/people/user/AdministratorAddresses"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Mailer } from "../../platform/mail/Mailer.ts"

/** Administrators that get mail of one webhook. */
const mostAdministrators = 50

/** Writes attempts down, and has administrators learn of webhooks that become inactive by them. */
export class WebhookNotices extends Context.Service<
  WebhookNotices,
  {
    /** What an attempt came to, with mail to administrators in the same transaction. Answers whether the webhook became inactive. */
    readonly settle: (
      webhook: HeldWebhook,
      delivery: DueDelivery,
      result: AttemptResult
    ) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/node/instance/webhook/WebhookNotices") {
  static readonly layer = Layer.effect(
    WebhookNotices,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const deliveries = yield* WebhookDeliveries
      const mailer = yield* Mailer

      const settle = Effect.fn("WebhookNotices.settle")(
        function* (webhook: HeldWebhook, delivery: DueDelivery, result: AttemptResult) {
          const disabled = yield* deliveries.settle(webhook, delivery, result)
          if (Option.isNone(disabled)) return false
          const gone = result.webhook._tag === "Disabled" && result.webhook.reason === 1
          const addresses = mailer.enabled ? yield* administratorAddresses(sql, mostAdministrators) : []
          const { id, url } = webhook
          const mail = { id, url, description: disabled.value, gone, error: result.error }
          for (const to of addresses) yield* mailer.queue({ _tag: "WebhookDisabled", to, ...mail })
          return true
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      return WebhookNotices.of({ settle })
    })
  ).pipe(Layer.provide(WebhookDeliveries.layer))
}
