import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoAlreadyBeingTranscoded, VideoChangeRefused, VideoSourceNotFound } from "@kinora/domain/errors/VideoErrors"
import { SourceReplacement } from "@kinora/storage/video/write/SourceReplacement"
import { Context, Effect, Layer } from "effect"
import { type Changed, VideoActs } from "../list/VideoActs.ts"

/** Deletes source files that are kept beside the renditions. */
export class SourceFileRemoval extends Context.Service<
  SourceFileRemoval,
  {
    /** The facts of the source stay. A file is kept while it is worked on, and where nothing else could be transcoded. */
    readonly remove: (
      changed: Changed
    ) => Effect.Effect<
      void,
      VideoSourceNotFound | VideoAlreadyBeingTranscoded | VideoChangeRefused | DatabaseUnavailable
    >
  }
>()("@kinora/node/video/source/SourceFileRemoval") {
  static readonly layer = Layer.effect(
    SourceFileRemoval,
    Effect.gen(function* () {
      const sources = yield* SourceReplacement
      const acts = yield* VideoActs
      const remove = Effect.fn("SourceFileRemoval.remove")(function* (changed: Changed) {
        const around = acts.byRight(changed, { action: "delete-source-file" })
        switch (yield* around(sources.removeFile(changed.video.id))) {
          case "removed":
            return
          case "missing":
            return yield* new VideoSourceNotFound()
          case "working":
            return yield* new VideoAlreadyBeingTranscoded()
          case "last":
            return yield* new VideoChangeRefused({
              reason: "The last file a video can be transcoded from cannot be deleted"
            })
        }
      })
      return SourceFileRemoval.of({ remove })
    })
  )
}
