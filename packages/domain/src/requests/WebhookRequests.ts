import { Schema } from "effect"
import { type WebhookEvent, webhookDeliveryStates, webhookEvents } from "../enums/WebhookEvent.ts"
import { field, optional, type Reader } from "../fields/Field.ts"
import { boolean, instant, listOf, oneOf, text } from "../fields/Readers.ts"
import { pageReaders } from "./Pagination.ts"
import { query } from "./Query.ts"
import { rowId } from "./UserFields.ts"

const maxUrl = 2_000

const url = text({
  min: 1,
  max: maxUrl,
  pattern: /^https?:\/\/[^\s/]\S*$/i,
  message: `Must be an https address of at most ${maxUrl} characters`,
  documented: { format: "uri", description: "http is taken where private addresses are allowed, and for these alone" }
})

const everyEvent = `Must be a list of at least one of ${webhookEvents.join(", ")}`
const listed = listOf(oneOf(webhookEvents, everyEvent), everyEvent)
const events: Reader<ReadonlyArray<WebhookEvent>> = {
  message: everyEvent,
  documented: { type: "array", items: { type: "string", enum: webhookEvents }, minItems: 1 },
  parse: (input) => {
    const given = listed.parse(input)
    return given === undefined || given.length === 0 ? undefined : [...new Set(given)]
  }
}

const description = text({ min: 0, max: 500, message: "Must be a text of at most 500 characters" })

const secret = text({
  min: 1,
  max: 200,
  // 24 to 64 bytes: the lengths that Standard Webhooks has.
  pattern:
    /^whsec_(?:(?:[a-z0-9+/]{4}){8,20}(?:[a-z0-9+/]{2}==|[a-z0-9+/]{3}=)?|(?:[a-z0-9+/]{4}){21}(?:[a-z0-9+/]{2}==)?)$/i,
  message: "Must be `whsec_` and 24 to 64 bytes in base64",
  documented: { description: "`whsec_` and 24 to 64 bytes in base64; one is made unless given" }
})

/** Body of `POST /server/webhooks`. */
export const NewWebhook = Schema.Struct({
  url: field(url),
  events: field(events),
  description: optional(description),
  active: optional(boolean()),
  secret: optional(secret)
})
export type NewWebhook = typeof NewWebhook.Type

/** Body of `PUT /server/webhooks/{id}`: what is missing stays as it is. */
export const WebhookUpdate = Schema.Struct({
  url: optional(url),
  events: optional(events),
  description: optional(description),
  active: optional(boolean())
})
export type WebhookUpdate = typeof WebhookUpdate.Type

/** Body of `POST /server/webhooks/{id}/secret`. */
export const NewWebhookSecret = Schema.Struct({ secret: optional(secret) })

/** Body of `POST /server/webhooks/{id}/replay`. */
export const WebhookReplay = Schema.Struct({
  since: field(instant("Must be a time in UTC, such as 2026-11-28T12:00:00.000Z"))
})

export const webhookParams = { webhookId: field(rowId("a webhook")) }
export const webhookDeliveryParams = { ...webhookParams, deliveryId: field(rowId("a delivery")) }

/** Query of `GET /server/webhooks`. `disabled`: only those that the instance made inactive, or only the others. */
export const webhooksQuery = query({ ...pageReaders(["createdAt"]), disabled: boolean() })

/** Query of `GET /server/webhooks/{id}/deliveries`: the newest first. */
export const webhookDeliveriesQuery = query({
  ...pageReaders(["createdAt"]),
  state: oneOf(webhookDeliveryStates, `Must be one of ${webhookDeliveryStates.join(", ")}`)
})
