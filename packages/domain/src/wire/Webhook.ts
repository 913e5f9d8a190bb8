import { Schema } from "effect"
import {
  webhookDeliveryStates,
  webhookDisabledReasons,
  webhookEvents,
  webhookMessageTypes
} from "../enums/WebhookEvent.ts"
import { NullableString, NullableTimestamp, Page, Timestamp } from "./Scalars.ts"

/** An address that is sent what happens. Its secret is shown when it is made, and never again. */
export const Webhook = Schema.Struct({
  id: Schema.Int,
  url: Schema.String,
  description: Schema.String,
  events: Schema.Array(Schema.Literals(webhookEvents)),
  active: Schema.Boolean,
  disabledReason: Schema.NullOr(Schema.Literals(webhookDisabledReasons)).annotate({
    description: "Why the instance made it inactive; null: it did not"
  }),
  failingSince: NullableTimestamp.annotate({
    description: "Since when no attempt has succeeded; null: the last one did"
  }),
  waiting: Schema.Int.annotate({ description: "Deliveries that wait" }),
  failed: Schema.Int.annotate({ description: "Failed deliveries in the log" }),
  lastDeliveredAt: NullableTimestamp,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Webhook" })
export type Webhook = typeof Webhook.Type

export const WebhookList = Page(Webhook)

/** What adding a webhook answers. */
export const AddedWebhook = Schema.Struct({
  webhook: Schema.Struct({
    id: Schema.Int,
    secret: Schema.String.annotate({ description: "Verifies signatures: `whsec_` and base64. It is shown this once" })
  })
}).annotate({ identifier: "AddedWebhook" })

/** The new secret of a webhook. */
export const WebhookSecret = Schema.Struct({ secret: Schema.String }).annotate({ identifier: "WebhookSecret" })

/** One message to a webhook, and what came of the last attempt. */
export const WebhookDelivery = Schema.Struct({
  id: Schema.Int,
  messageId: Schema.String.annotate({ description: "Header `webhook-id`: the same in all attempts and replays" }),
  type: Schema.Literals(webhookMessageTypes),
  state: Schema.Literals(webhookDeliveryStates),
  attempts: Schema.Int.annotate({ description: "Since it was made or last replayed" }),
  nextAttemptAt: NullableTimestamp,
  attemptedAt: NullableTimestamp,
  durationMs: Schema.NullOr(Schema.Int),
  status: Schema.NullOr(Schema.Int).annotate({ description: "Null: there was no answer" }),
  answer: NullableString.annotate({ description: "Beginning of the body of the answer" }),
  error: NullableString,
  body: Schema.String.annotate({ description: "The JSON that is sent" }),
  createdAt: Timestamp
}).annotate({ identifier: "WebhookDelivery" })
export type WebhookDelivery = typeof WebhookDelivery.Type

export const WebhookDeliveryList = Page(WebhookDelivery)

/** What sending a message to try a webhook answers. */
export const AddedWebhookDelivery = Schema.Struct({ delivery: Schema.Struct({ id: Schema.Int }) }).annotate({
  identifier: "AddedWebhookDelivery"
})

export const ReplayedDeliveries = Schema.Struct({
  replayed: Schema.Int.annotate({ description: "How many deliveries wait again" })
}).annotate({ identifier: "ReplayedDeliveries" })
