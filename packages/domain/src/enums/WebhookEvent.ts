/** Types of events that webhooks can be sent. */
export const webhookEvents = [
  "video.published",
  "video.failed",
  "live.started",
  "live.ended",
  "report.created",
  "registration.created",
  "user.created",
  "comment.held"
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** Type of the message that an administrator sends to try a webhook. */
export const webhookPing = "ping"

export const webhookMessageTypes = [...webhookEvents, webhookPing] as const

/** `waiting`: for its next attempt; `failed`: nobody tries again, unless an administrator replays it. */
export const webhookDeliveryStates = ["waiting", "delivered", "failed"] as const
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number]

/** Why the program made a webhook inactive: its address answered 410, or nothing was delivered for days. */
export const webhookDisabledReasons = ["gone", "failing"] as const
