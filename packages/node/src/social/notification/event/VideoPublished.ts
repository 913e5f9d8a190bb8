import { NotificationType } from "@kinora/domain/enums/NotificationType"
import { VideoEventRows } from "@kinora/storage/social/notification/VideoEventRows"
import { Duration, Effect } from "effect"
import { type EventHandler, noNews } from "./EventHandler.ts"

/** Followers of one step: others have the database in between. */
const followersAtATime = 1000

/** What another instance published longer ago is no news when it is first listed here. */
const newsMillis = Duration.toMillis(Duration.days(2))

/** A video is listed for the first time: users who follow its channel are notified, a thousand at a time. */
export const videoPublished = Effect.gen(function* () {
  const videos = yield* VideoEventRows

  const handle: EventHandler = Effect.fn("videoPublished")(function* ({ createdAt, position, subject }) {
    const video = yield* videos.listed(subject)
    if (video === undefined) {
      // Hidden before anybody was notified, as what waits for a moderator: it is news when it is listed again.
      if (position === 0) yield* videos.expectListing(subject)
      return noNews
    }
    // A live that is on is news, whenever it was on before.
    if (video.remote && !video.isLive && video.publishedAt.getTime() < createdAt.getTime() - newsMillis) return noNews
    const { count, last } = yield* videos.followers(video.channelActorId, position, followersAtATime)
    if (last === null) return noNews
    const draft = {
      type: video.isLive ? NotificationType.newLiveFromSubscription : NotificationType.newVideoFromSubscription,
      by: video.accountId,
      subject: { video_id: subject },
      recipients: {
        _tag: "Followers",
        actorId: video.channelActorId,
        after: position,
        upTo: last,
        except: video.ownerId
      }
    } as const
    return count < followersAtATime ? { drafts: [draft] } : { drafts: [draft], nextPosition: last }
  })
  return handle
})
