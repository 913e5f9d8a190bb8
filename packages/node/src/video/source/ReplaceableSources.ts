import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import type { AccessRefused, Presented } from "../list/VideoAccess.ts"
import { VideoPermissions } from "../list/VideoPermissions.ts"

/** Finds the video whose source a request replaces. */
export class ReplaceableSources extends Context.Service<
  ReplaceableSources,
  {
    /** The video, if its source may be replaced here and by the user of the request. */
    readonly open: (id: VideoIdOrUuid, presented: Presented) => Effect.Effect<VideoFacts, AccessRefused | Forbidden>
  }
>()("@kinora/node/video/source/ReplaceableSources") {
  static readonly layer = Layer.effect(
    ReplaceableSources,
    Effect.gen(function* () {
      const { update } = (yield* KinoraConfig).video_file
      const permissions = yield* VideoPermissions
      const open = Effect.fnUntraced(function* (id: VideoIdOrUuid, presented: Presented) {
        if (!update.enabled) {
          return yield* new Forbidden({ reason: "This instance does not replace the files of videos" })
        }
        return yield* permissions.open(id, presented, "change")
      })
      return ReplaceableSources.of({ open })
    })
  )
}
