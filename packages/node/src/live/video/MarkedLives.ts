import { constraints } from "@kinora/domain/enums/Constraints"
import type { DatabaseUnavailable, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoStateConflict } from "@kinora/domain/errors/VideoErrors"
import type { JsonPage } from "@kinora/domain/wire/Json"
import type { LiveMark } from "@kinora/domain/wire/LiveMark"
import { LiveMarks } from "@kinora/storage/live/LiveMarks"
import { Context, Effect, Layer, Option } from "effect"
import type { Editable } from "../../video/edit/EditableVideos.ts"
import { VideoActs } from "../../video/list/VideoActs.ts"
import { LivesAnywhere } from "../elsewhere/LivesAnywhere.ts"

const conflict = (reason: string) => new VideoStateConflict({ reason })

/** Marks moments of lives that are being published: they become chapters of the replay. */
export class MarkedLives extends Context.Service<
  MarkedLives,
  {
    readonly mark: (
      editable: Editable,
      title: string
    ) => Effect.Effect<LiveMark, VideoStateConflict | ServiceUnavailable | DatabaseUnavailable>
    /** Those of the session that goes on. */
    readonly ofLive: (videoId: number) => Effect.Effect<JsonPage<LiveMark>, DatabaseUnavailable>
  }
>()("@kinora/node/live/video/MarkedLives") {
  static readonly layer = Layer.effect(
    MarkedLives,
    Effect.gen(function* () {
      const lives = yield* LivesAnywhere
      const marks = yield* LiveMarks
      const acts = yield* VideoActs
      return MarkedLives.of({
        ofLive: marks.ofLive,
        mark: Effect.fn("MarkedLives.mark")(function* (editable: Editable, title: string) {
          const moment = yield* lives.moment(editable.video.id)
          if (moment === undefined) return yield* conflict("This live is not being published")
          if (!moment.saveReplay) return yield* conflict("No replay of this session is saved")
          const mark = yield* acts.change(editable, { action: "mark-live", details: { title }, withoutValues: true })(
            marks.add(moment.sessionId, moment, title)
          )
          if (Option.isNone(mark)) return yield* conflict(`A session has at most ${constraints.chapter.max} moments`)
          return mark.value
        })
      })
    })
  )
}
