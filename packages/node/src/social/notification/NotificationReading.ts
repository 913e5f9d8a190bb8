import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { NotificationRows } from "@kinora/storage/social/notification/NotificationRows"
import { Context, Effect, Layer } from "effect"

/** Marks notifications as read by their user. */
export class NotificationReading extends Context.Service<
  NotificationReading,
  {
    /** Those of others, and those that do not exist, are passed by. */
    readonly read: (user: CurrentUserShape, ids: ReadonlyArray<number>) => Effect.Effect<void, DatabaseUnavailable>
    readonly readAll: (user: CurrentUserShape) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/social/notification/NotificationReading") {
  static readonly layer = Layer.effect(
    NotificationReading,
    Effect.gen(function* () {
      const rows = yield* NotificationRows
      return NotificationReading.of({
        read: (user, ids) => rows.read(user.id, ids),
        readAll: (user) => rows.readAll(user.id)
      })
    })
  )
}
