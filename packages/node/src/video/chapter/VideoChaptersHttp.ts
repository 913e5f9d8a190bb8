import { Api } from "@kinora/domain/api/Api"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { ChapterRows } from "@kinora/storage/video/chapter/ChapterRows"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { EditableVideos } from "../edit/EditableVideos.ts"
import { answer } from "../../platform/http/Answer.ts"
import { presentedByViewer } from "../list/Asking.ts"
import { VideoAccess } from "../list/VideoAccess.ts"
import { chaptersOf } from "./ChaptersOf.ts"

/** Chapters of videos. */
export const layer = HttpApiBuilder.group(
  Api,
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
    })
  })
)
