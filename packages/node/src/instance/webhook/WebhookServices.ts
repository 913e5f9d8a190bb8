import { WebhookDeliveries } from "@kinora/storage/instance/webhook/WebhookDeliveries"
import { WebhookLists } from "@kinora/storage/instance/webhook/WebhookLists"
import { WebhookRows } from "@kinora/storage/instance/webhook/WebhookRows"
import { Layer } from "effect"
import { WebhookMessages } from "./WebhookMessages.ts"
import { WebhookPost } from "./WebhookPost.ts"
import { Webhooks } from "./Webhooks.ts"

/** What administrators do with webhooks. Needs `SqlClient`, `KinoraConfig`, `SecretBox` and `AuditTrail`. */
export const WebhookServices = Layer.mergeAll(Webhooks.layer, WebhookLists.layer).pipe(
  Layer.provideMerge(WebhookMessages.layer),
  Layer.provide([WebhookRows.layer, WebhookDeliveries.layer, WebhookPost.layer])
)
