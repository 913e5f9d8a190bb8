import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presentedByUser } from "../list/Presented.ts"
import { VideoAccess } from "../list/VideoAccess.ts"
import { SourceFileRemoval } from "./SourceFileRemoval.ts"
import { TranscodingRestart } from "./TranscodingRestart.ts"

/** The source file of a video, and transcoding it again. */
export const layer = apiGroup(
  "videoSource",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* VideoAccess
    const removal = yield* SourceFileRemoval
    const restart = yield* TranscodingRestart

    return handlers.handleAll({
      deleteVideoSourceFile: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const video = yield* access.open(params.id, yield* presentedByUser(request))
            yield* removal.remove({ user: yield* CurrentUser, video })
          })
        ),
      createVideoTranscoding: ({ params, payload, request }) =>
        answer(
          Effect.gen(function* () {
            const video = yield* access.open(params.id, yield* presentedByUser(request))
            yield* restart.request({ user: yield* CurrentUser, video }, payload)
          })
        )
    } satisfies Answers<"videoSource">)
  })
)
