import { Api } from "@kinora/domain/api/Api"
import { NotImplemented } from "@kinora/domain/errors/RequestErrors"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../platform/http/Answer.ts"
import { EditableVideos } from "./EditableVideos.ts"
import { VideoEdits } from "./VideoEdits.ts"

/** Changing a video. Of who may not change it, the body is not read: it may be large. */
export const layer = HttpApiBuilder.group(
  Api,
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
    })
  })
)
