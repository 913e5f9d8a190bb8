import { UserRole } from "@kinora/domain/enums/UserRole"
import { RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RateLimitStore } from "../../platform/http/RateLimitStore.ts"

/** How many comments a user may write in a while (`rates_limit.create_comment`); moderators as many as they like. */
export class CommentPace extends Context.Service<
  CommentPace,
  {
    /** Counts what is written; what is refused is not counted. What its client cuts off is: it may stand there by now. */
    readonly hold: <A, E, R>(
      user: CurrentUserShape,
      write: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | RateLimited, R>
  }
>()("@kinora/node/comments/CommentPace") {
  static readonly layer = Layer.effect(
    CommentPace,
    Effect.gen(function* () {
      const { create_comment } = (yield* KinoraConfig).rates_limit
      const limit = { max: create_comment.max, windowMillis: Duration.toMillis(create_comment.window) }
      const store = yield* RateLimitStore
      return CommentPace.of({
        hold: Effect.fnUntraced(function* (user, write) {
          if (user.role !== UserRole.user) return yield* write
          const key = `create_comment:${user.id}`
          const now = yield* Clock.currentTimeMillis
          const count = yield* store.hit(key, limit, now)
          if (count.used > limit.max) return yield* RateLimited.until(count.resetAt, now)
          return yield* Effect.tapError(write, () => store.refund(key, limit, now))
        })
      })
    })
  )
}
