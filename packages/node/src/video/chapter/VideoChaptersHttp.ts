import { ChapterReads } from "@kinora/storage/video/chapter/ChapterReads"
import { Effect } from "effect"
import { EditableVideos } from "../edit/EditableVideos.ts"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presentedByViewer } from "../list/Presented.ts"
import { VideoAccess } from "../list/VideoAccess.ts"
import { chaptersOf } from "./ChaptersOf.ts"
import { VideoChapters } from "./VideoChapters.ts"

/** The endpoints of video chapters. */
export const layer = apiGroup(
  "videoChapters",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* VideoAccess
    const editable = yield* EditableVideos
    const reads = yield* ChapterReads
    const videoChapters = yield* VideoChapters

    return handlers.handleAll({
      getVideoChapters: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const video = yield* access.open(params.id, yield* presentedByViewer(request))
            const chapters = chaptersOf(yield* reads.sources(video.id))
            return { chapters: chapters.map(({ timecode, title }) => ({ title, timecode })) }
          })
        ),
      replaceVideoChapters: ({ params, payload, request }) =>
        answer(
          Effect.flatMap(editable.open(params.id, request), (opened) => videoChapters.replace(opened, payload.chapters))
        )
    } satisfies Answers<"videoChapters">)
  })
)
