import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"

const t = text("webhooks")

export type Webhook = Output<"GET /api/v1/server/webhooks/:webhookId">
export type Delivery = Output<"GET /api/v1/server/webhooks/:webhookId/deliveries">["data"][number]

/** Messages name what has a dot with an underscore. */
export const eventName = (type: string): string => t("eventName", { type: type.replaceAll(".", "_") })
