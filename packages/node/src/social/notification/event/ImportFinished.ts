import { NotificationType } from "@kinora/domain/enums/NotificationType"
import { VideoImportState } from "@kinora/domain/enums/VideoImportState"
import { VideoEventRows } from "@kinora/storage/social/notification/VideoEventRows"
import { Effect } from "effect"
import { type EventHandler, forUser, noNews, stateOf } from "./EventHandler.ts"

const stateOfImport = stateOf([VideoImportState.success, VideoImportState.failed])

/** An import has ended: who asked for it is notified. */
export const importFinished = Effect.gen(function* () {
  const videos = yield* VideoEventRows
  const handle: EventHandler = Effect.fn("importFinished")(function* (event) {
    const state = yield* stateOfImport(event)
    const ended = yield* videos.ended(event.subject)
    if (ended === undefined) return noNews
    return forUser(ended.userId, {
      type:
        state === VideoImportState.success
          ? NotificationType.myVideoImportSuccess
          : NotificationType.myVideoImportError,
      by: null,
      subject: { import_id: event.subject, video_id: ended.videoId }
    })
  })
  return handle
})
