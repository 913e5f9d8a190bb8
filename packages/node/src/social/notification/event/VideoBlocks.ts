import { NotificationType } from "@kinora/domain/enums/NotificationType"
import { VideoEventRows } from "@kinora/storage/social/notification/VideoEventRows"
import { Effect } from "effect"
import { type EventHandler, forUser, noNews } from "./EventHandler.ts"
import { moderators } from "./Moderators.ts"

/** A video was blocked: its owner is notified, or the moderators of one that waits for them. */
export const videoBlocked = Effect.gen(function* () {
  const videos = yield* VideoEventRows
  const handle: EventHandler = Effect.fn("videoBlocked")(function* ({ subject: videoId }) {
    const block = yield* videos.block(videoId)
    if (block === undefined || block.remote) return noNews
    const subject = { blacklist_id: block.id, video_id: videoId }
    return block.automatic
      ? {
          drafts: [
            { type: NotificationType.videoAutoBlacklistForModerators, by: null, subject, recipients: moderators }
          ]
        }
      : forUser(block.ownerId, { type: NotificationType.blacklistOnMyVideo, by: null, subject })
  })
  return handle
})

/** A video is blocked no longer: its owner is notified. */
export const videoUnblocked = Effect.gen(function* () {
  const videos = yield* VideoEventRows
  const handle: EventHandler = Effect.fn("videoUnblocked")(function* ({ subject }) {
    const video = yield* videos.owned(subject)
    if (video === undefined || video.remote) return noNews
    const type = NotificationType.unblacklistOnMyVideo
    return forUser(video.ownerId, { type, by: null, subject: { video_id: subject } })
  })
  return handle
})
