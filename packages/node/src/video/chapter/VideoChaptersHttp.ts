import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { ChapterRows } from "@kinora/storage/video/chapter/ChapterRows"
import { Effect } from "effect"
import { EditableVideos } from "../edit/EditableVideos.ts"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presentedByViewer } from "../list/Presented.ts"
import { VideoAccess } from "../list/VideoAccess.ts"
import { chaptersOf } from "./ChaptersOf.ts"

/** The endpoints of video chapters. */
export const layer = apiGroup(
  "videoChapters",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* VideoAccess
    const editable = yield* EditableVideos
    const rows = yield* ChapterRows

    return handlers.handleAll({
      getVideoChapters: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const video = yield* access.open(params.id, yield* presentedByViewer(request))
            const chapters = chaptersOf(yield* rows.sources(video.id))
            return { chapters: chapters.map(({ timecode, title }) => ({ title, timecode })) }
          })
        ),
      replaceVideoChapters: ({ params, payload, request }) =>
        answer(
          Effect.gen(function* () {
            const { user, video } = yield* editable.open(params.id, request)
            if (!(yield* rows.replace(video.id, user.accountId, payload.chapters))) return yield* new VideoNotFound()
          })
        )
    } satisfies Answers<"videoChapters">)
  })
)
