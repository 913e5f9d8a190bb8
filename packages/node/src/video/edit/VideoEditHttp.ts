import { NotImplemented } from "@kinora/domain/errors/RequestErrors"
import { Effect } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { EditableVideos } from "./EditableVideos.ts"
import { VideoEdits } from "./VideoEdits.ts"

/** Editing a video. The body of a request without permission is not read: it may be large. */
export const layer = apiGroup(
  "videoEdit",
  Effect.fnUntraced(function* (handlers) {
    const editable = yield* EditableVideos
    const edits = yield* VideoEdits

    return handlers.handleAll({
      putVideo: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const { user, video } = yield* editable.open(params.id, request)
            yield* edits.update(user, video, request)
          })
        ),
      postVideosStudioEdit: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            yield* editable.open(params.id, request)
            return yield* new NotImplemented({ what: "cutting videos" })
          })
        )
    } satisfies Answers<"videoEdit">)
  })
)
