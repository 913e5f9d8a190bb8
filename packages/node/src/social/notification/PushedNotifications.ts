import type { MadeNotifications } from "@kinora/storage/social/notification/NotificationNotices"
import { Context, Layer, Queue } from "effect"

/** Batches that wait to be pushed: for those who miss one, it is in their list. */
const most = 4096

/** Notifications this node has heard of and may push to sockets. */
export class PushedNotifications extends Context.Service<PushedNotifications, Queue.Queue<MadeNotifications>>()(
  "@kinora/node/notifications/PushedNotifications"
) {
  static readonly layer = Layer.effect(PushedNotifications, Queue.sliding<MadeNotifications>(most))
}
