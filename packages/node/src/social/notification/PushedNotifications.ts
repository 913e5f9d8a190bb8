import type { MadeNotifications } from "@kinora/storage/social/notification/NotificationWakeups"
import { Context, Layer, Queue } from "effect"

/** Batches that wait to be pushed: whoever misses one finds it in their list. */
const most = 4096

/** Notifications that were made on any node and that this one may push to its sockets. */
export class PushedNotifications extends Context.Service<PushedNotifications, Queue.Queue<MadeNotifications>>()(
  "@kinora/node/notifications/PushedNotifications"
) {
  static readonly layer = Layer.effect(PushedNotifications, Queue.sliding<MadeNotifications>(most))
}
