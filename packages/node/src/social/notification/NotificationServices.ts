import { NotificationChoices } from "@kinora/storage/social/notification/NotificationChoices"
import { NotificationEvents } from "@kinora/storage/social/notification/NotificationEvents"
import { NotificationWakeups } from "@kinora/storage/social/notification/NotificationWakeups"
import { SubscriptionRows } from "@kinora/storage/social/subscription/SubscriptionRows"
import { Layer } from "effect"
import { Subscriptions } from "../subscription/Subscriptions.ts"
import { PushedNotifications } from "./PushedNotifications.ts"
import { UnsubscribeLinks } from "./UnsubscribeLinks.ts"

/** What channels are followed with, and notifications recorded, pushed and unsubscribed. Needs `PgClient`, `KinoraConfig` and `SecretBox`. */
export const NotificationServices = Layer.mergeAll(
  NotificationChoices.layer,
  NotificationEvents.layer,
  NotificationWakeups.layer,
  PushedNotifications.layer,
  UnsubscribeLinks.layer,
  Subscriptions.layer.pipe(Layer.provideMerge(SubscriptionRows.layer))
)
