import { NotImplemented } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { VideoAlreadyHasCaptions, VideoCaptionNotFound, VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { CaptionRows } from "@kinora/storage/video/caption/CaptionRows"
import { Context, Effect, Layer } from "effect"
import type { Editable } from "../edit/EditableVideos.ts"
import { VideoActs } from "../list/VideoActs.ts"

/** Changes the captions of videos. Who may do it is decided before. */
export class VideoCaptions extends Context.Service<
  VideoCaptions,
  {
    /** Stores WebVTT in place of the captions of the same language. */
    readonly set: (
      editable: Editable,
      language: string,
      text: string
    ) => Effect.Effect<void, VideoNotFound | InsufficientStorage | DatabaseUnavailable>
    readonly remove: (
      editable: Editable,
      language: string
    ) => Effect.Effect<void, VideoCaptionNotFound | DatabaseUnavailable>
    /** No transcription exists here. A video that has captions is refused as one that needs none, unless it is forced. */
    readonly generate: (
      video: VideoFacts,
      force: boolean
    ) => Effect.Effect<never, VideoAlreadyHasCaptions | NotImplemented | DatabaseUnavailable>
  }
>()("@kinora/node/video/caption/VideoCaptions") {
  static readonly layer = Layer.effect(
    VideoCaptions,
    Effect.gen(function* () {
      const rows = yield* CaptionRows
      const acts = yield* VideoActs
      return VideoCaptions.of({
        set: Effect.fn("VideoCaptions.set")(function* (editable, language, text) {
          const { user, video } = editable
          const around = acts.change(editable, { action: "set-caption", details: { language } })
          if (!(yield* rows.set(video.id, user.accountId, language, text, around))) return yield* new VideoNotFound()
        }),
        remove: Effect.fn("VideoCaptions.remove")(function* (editable, language) {
          const { user, video } = editable
          const around = acts.change(editable, { action: "delete-caption", details: { language } })
          const removed = yield* around(rows.remove(video.id, user.accountId, language))
          if (!removed) return yield* new VideoCaptionNotFound()
        }),
        generate: Effect.fn("VideoCaptions.generate")(function* (video, force) {
          if (!force && (yield* rows.count(video.id)) > 0) return yield* new VideoAlreadyHasCaptions()
          return yield* new NotImplemented({ what: "transcription" })
        })
      })
    })
  )
}
