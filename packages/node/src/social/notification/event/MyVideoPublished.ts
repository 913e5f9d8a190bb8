import { NotificationType } from "@kinora/domain/enums/NotificationType"
import { VideoEventRows } from "@kinora/storage/social/notification/VideoEventRows"
import { Effect, Schema } from "effect"
import { detailsOf, type EventHandler, forUser, noNews } from "./EventHandler.ts"

const details = detailsOf(Schema.Struct({ scheduled: Schema.Boolean, blocked: Schema.Boolean }))

const draftOf = (videoId: number) => ({
  type: NotificationType.myVideoPublished,
  by: null,
  subject: { video_id: videoId }
})

/** The time has come for which a video was scheduled: its owner is notified. */
export const myVideoPublished = Effect.gen(function* () {
  const videos = yield* VideoEventRows
  const handle: EventHandler = Effect.fn("myVideoPublished")(function* ({ subject }) {
    const video = yield* videos.owned(subject)
    return video === undefined || video.remote ? noNews : forUser(video.ownerId, draftOf(subject))
  })
  return handle
})

/** All of a video is ready: its owner is notified who waited for that, unless something else hid it still. */
export const videoReady = Effect.gen(function* () {
  const videos = yield* VideoEventRows
  const handle: EventHandler = Effect.fn("videoReady")(function* (event) {
    const { blocked, scheduled } = yield* details(event)
    if (blocked || scheduled) return noNews
    const video = yield* videos.owned(event.subject)
    if (video === undefined || video.remote || !video.waitTranscoding) return noNews
    return forUser(video.ownerId, draftOf(event.subject))
  })
  return handle
})
