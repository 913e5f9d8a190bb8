import { Effect } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { EditableVideos } from "../edit/EditableVideos.ts"
import { ProcessingStatus } from "./ProcessingStatus.ts"

/** How the work on the files of a video stands, and trying again what failed. */
export const layer = apiGroup(
  "videoProcessing",
  Effect.fnUntraced(function* (handlers) {
    const editable = yield* EditableVideos
    const status = yield* ProcessingStatus

    return handlers.handleAll({
      getVideoProcessing: ({ params, request }) =>
        answer(Effect.flatMap(editable.open(params.id, request), ({ video }) => status.of(video.id))),
      retryVideoProcessing: ({ params, request }) =>
        answer(Effect.flatMap(editable.open(params.id, request), ({ video }) => status.retry(video.id)))
    } satisfies Answers<"videoProcessing">)
  })
)
