import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { HistoryRows } from "@kinora/storage/video/history/HistoryRows"
import { Context, Effect, Layer } from "effect"

/** Forgets what users watched. */
export class WatchHistory extends Context.Service<
  WatchHistory,
  {
    readonly remove: (
      user: CurrentUserShape,
      video: VideoIdOrUuid
    ) => Effect.Effect<void, VideoNotFound | DatabaseUnavailable>
    /** Removes what was last watched before the instant (ISO 8601), or everything. */
    readonly removeBefore: (user: CurrentUserShape, before: string | null) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/video/history/WatchHistory") {
  static readonly layer = Layer.effect(
    WatchHistory,
    Effect.gen(function* () {
      const rows = yield* HistoryRows
      return WatchHistory.of({
        remove: Effect.fn("WatchHistory.remove")(function* (user, video) {
          if (!(yield* rows.remove(user.id, video))) return yield* new VideoNotFound()
        }),
        removeBefore: (user, before) => rows.removeBefore(user.id, before)
      })
    })
  )
}
