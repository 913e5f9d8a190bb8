import type { DatabaseUnavailable, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoStateConflict } from "@kinora/domain/errors/VideoErrors"
import { Context, Effect, Layer } from "effect"
import type { Editable } from "../../video/edit/EditableVideos.ts"
import { VideoActs } from "../../video/list/VideoActs.ts"
import { LivesAnywhere } from "../elsewhere/LivesAnywhere.ts"

const notPublished = new VideoStateConflict({ reason: "This live is not being published" })

/** Ends lives for those who work on them, and for moderators. */
export class EndedLives extends Context.Service<
  EndedLives,
  {
    readonly end: (
      editable: Editable
    ) => Effect.Effect<void, VideoStateConflict | ServiceUnavailable | DatabaseUnavailable>
  }
>()("@kinora/node/live/video/EndedLives") {
  static readonly layer = Layer.effect(
    EndedLives,
    Effect.gen(function* () {
      const lives = yield* LivesAnywhere
      const acts = yield* VideoActs
      return EndedLives.of({
        end: Effect.fn("EndedLives.end")(function* (editable: Editable) {
          const reason = { error: null, reason: "The live was ended on its page" }
          const ended = yield* acts.change(editable, { action: "end-live", withoutValues: true })(
            lives.end(editable.video.id, reason)
          )
          if (!ended) return yield* notPublished
        })
      })
    })
  )
}
