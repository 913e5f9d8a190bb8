import { NotificationChoices } from "@kinora/storage/notifications/NotificationChoices"
import { NotificationEvents } from "@kinora/storage/notifications/NotificationEvents"
import { NotificationNotices } from "@kinora/storage/notifications/NotificationNotices"
import { SubscriptionRows } from "@kinora/storage/subscriptions/SubscriptionRows"
import { Layer } from "effect"
import { Subscriptions } from "../subscriptions/Subscriptions.ts"
import { PushedNotifications } from "./PushedNotifications.ts"
import { UnsubscribeLinks } from "./UnsubscribeLinks.ts"

/** What channels are followed with, and notifications recorded, heard of and unsubscribed. Needs `PgClient`, `KinoraConfig` and `SecretBox`. */
export const NotificationServices = Layer.mergeAll(
  NotificationChoices.layer,
  NotificationEvents.layer,
  NotificationNotices.layer,
  PushedNotifications.layer,
  UnsubscribeLinks.layer,
  Subscriptions.layer.pipe(Layer.provideMerge(SubscriptionRows.layer))
)
