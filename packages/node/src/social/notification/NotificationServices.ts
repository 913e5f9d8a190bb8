import { NotificationChoices } from "@kinora/storage/social/notification/NotificationChoices"
import { NotificationEvents } from "@kinora/storage/social/notification/NotificationEvents"
import { NotificationLists } from "@kinora/storage/social/notification/NotificationLists"
import { NotificationRows } from "@kinora/storage/social/notification/NotificationRows"
import { NotificationWakeups } from "@kinora/storage/social/notification/NotificationWakeups"
import { SubscriptionGroupLists } from "@kinora/storage/social/subscription/SubscriptionGroupLists"
import { SubscriptionLists } from "@kinora/storage/social/subscription/SubscriptionLists"
import { SubscriptionRows } from "@kinora/storage/social/subscription/SubscriptionRows"
import { Layer } from "effect"
import { SubscriptionGroups } from "../subscription/SubscriptionGroups.ts"
import { Subscriptions } from "../subscription/Subscriptions.ts"
import { NotificationReading } from "./NotificationReading.ts"
import { PushedNotifications } from "./PushedNotifications.ts"
import { UnsubscribeLinks } from "./UnsubscribeLinks.ts"

/** What channels are followed with, and notifications recorded, pushed and unsubscribed. Needs `PgClient`, `KinoraConfig` and `SecretBox`. */
export const NotificationServices = Layer.mergeAll(
  NotificationChoices.layer,
  NotificationEvents.layer,
  NotificationLists.layer,
  NotificationReading.layer.pipe(Layer.provide(NotificationRows.layer)),
  NotificationWakeups.layer,
  PushedNotifications.layer,
  UnsubscribeLinks.layer,
  SubscriptionGroupLists.layer,
  SubscriptionGroups.layer,
  SubscriptionLists.layer,
  Subscriptions.layer.pipe(Layer.provide(SubscriptionRows.layer))
)
