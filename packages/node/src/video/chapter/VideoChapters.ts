import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { Chapter } from "@kinora/domain/requests/ChapterRequests"
import { ChapterRows } from "@kinora/storage/video/chapter/ChapterRows"
import { Context, Effect, Layer } from "effect"
import type { Editable } from "../edit/EditableVideos.ts"
import { VideoActs } from "../list/VideoActs.ts"

/** Changes the chapters of videos. Who may do it is decided before. */
export class VideoChapters extends Context.Service<
  VideoChapters,
  {
    /** Sets all chapters by hand: neither the description nor the file decides from now on. */
    readonly replace: (
      editable: Editable,
      chapters: ReadonlyArray<Chapter>
    ) => Effect.Effect<void, VideoNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/video/chapter/VideoChapters") {
  static readonly layer = Layer.effect(
    VideoChapters,
    Effect.gen(function* () {
      const rows = yield* ChapterRows
      const acts = yield* VideoActs
      return VideoChapters.of({
        replace: Effect.fn("VideoChapters.replace")(function* (editable, chapters) {
          const { user, video } = editable
          const around = acts.change(editable, { action: "set-chapters" })
          if (!(yield* around(rows.replace(video.id, user.accountId, chapters)))) return yield* new VideoNotFound()
        })
      })
    })
  )
}
