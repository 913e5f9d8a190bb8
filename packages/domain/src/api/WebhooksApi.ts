import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  NewWebhook,
  NewWebhookSecret,
  webhookDeliveriesQuery,
  webhookDeliveryParams,
  webhookParams,
  WebhookReplay,
  webhooksQuery,
  WebhookUpdate
} from "../requests/WebhookRequests.ts"
import {
  AddedWebhook,
  AddedWebhookDelivery,
  ReplayedDeliveries,
  Webhook,
  WebhookDeliveryList,
  WebhookList,
  WebhookSecret
} from "../wire/Webhook.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

/** Only administrators say where the instance sends what it knows. */
const right = "MANAGE_CONFIGURATION"
const tag = "Webhooks"
const webhooks = "/api/v1/server/webhooks"
const one = `${webhooks}/:webhookId` as const

/** Addresses that are sent what happens: of our own. */
export class WebhooksApi extends HttpApiGroup.make("webhooks", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getServerWebhooks", webhooks, { query: webhooksQuery, success: WebhookList })
      .middleware(Authenticated)
      .annotate(Docs, { tag, summary: "List webhooks", right, problems: problems(400, 403) }),
    HttpApiEndpoint.post("postServerWebhooks", webhooks, { payload: NewWebhook, success: AddedWebhook })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag,
        summary: "Add a webhook; its secret is shown this once",
        right,
        problems: problems(400, 403, 409)
      }),
    HttpApiEndpoint.get("getServerWebhook", one, { params: webhookParams, success: Webhook })
      .middleware(Authenticated)
      .annotate(Docs, { tag, summary: "Get a webhook", right, problems: problems(400, 403, 404) }),
    HttpApiEndpoint.put("putServerWebhook", one, {
      params: webhookParams,
      payload: WebhookUpdate,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag,
        summary: "Change a webhook; making it active again forgets why it was not",
        right,
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.delete("deleteServerWebhook", one, { params: webhookParams, success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag,
        summary: "Remove a webhook, its log and what waits for it",
        right,
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.post("postServerWebhookSecret", `${one}/secret`, {
      params: webhookParams,
      payload: NewWebhookSecret,
      success: WebhookSecret
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag,
        summary: "Give a webhook another secret, which is shown this once; for a day, the former one signs as well",
        right,
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.post("postServerWebhookPing", `${one}/ping`, {
      params: webhookParams,
      success: AddedWebhookDelivery
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag,
        summary: "Send a webhook a message to try it",
        right,
        problems: problems(400, 403, 404, 409)
      }),
    HttpApiEndpoint.get("getServerWebhookDeliveries", `${one}/deliveries`, {
      params: webhookParams,
      query: webhookDeliveriesQuery,
      success: WebhookDeliveryList
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag,
        summary: "List what a webhook was sent in the last 30 days, and what waits",
        right,
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.post("postServerWebhookDeliveryReplay", `${one}/deliveries/:deliveryId/replay`, {
      params: webhookDeliveryParams,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { tag, summary: "Send a delivery again", right, problems: problems(400, 403, 404, 409) }),
    HttpApiEndpoint.post("postServerWebhookReplay", `${one}/replay`, {
      params: webhookParams,
      payload: WebhookReplay,
      success: ReplayedDeliveries
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag,
        summary: "Send again everything that has failed since a time",
        right,
        problems: problems(400, 403, 404, 409)
      })
  )
  .annotate(OpenApi.Title, "Webhooks") {}
