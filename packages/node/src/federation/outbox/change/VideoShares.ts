import { publicAudience } from "@kinora/federation/activities/Audience"
import type { ActivityWrites } from "@kinora/storage/federation/outbox/ActivityWrites"
import type { PublishedVideo } from "@kinora/storage/federation/outbox/VideoPublications"
import { Effect } from "effect"
import { announceActivity, undoAnnounceActivity, type VideoAnnounce } from "../activity/Announce.ts"
import type { ActivitySender } from "../send/ActivitySender.ts"

/** Whose followers hear of a video as it is now: those of its channel, of its account and of the instance. */
export const followersHere = (video: PublishedVideo): ReadonlyArray<number> => [
  video.channelActorId,
  video.accountActorId,
  video.instanceActorId
]

/** Announces of public videos by their channel and the instance. */
export const makeVideoShares = (writes: ActivityWrites["Service"], sender: ActivitySender["Service"]) => {
  const announce = (video: PublishedVideo, actorId: number, times: number, followersUrls: ReadonlyArray<string>) =>
    sender.send(actorId, announceActivity({ videoUrl: video.url, actorId, times }, publicAudience(followersUrls)))

  const undo = Effect.fnUntraced(function* (it: VideoAnnounce) {
    const actor = yield* writes.sender(it.actorId)
    if (actor !== undefined) yield* sender.sendAs(actor, undoAnnounceActivity(it, actor.url))
  })

  /** Of one that is published. */
  const begin = Effect.fnUntraced(function* (
    video: PublishedVideo,
    times: number,
    followersUrls: ReadonlyArray<string>
  ) {
    yield* announce(video, video.channelActorId, times, followersUrls)
    yield* announce(video, video.instanceActorId, times, followersUrls)
  })

  /** Of one that others have: it may be public no longer, or again, or belong to another channel. */
  const changed = Effect.fnUntraced(function* (video: PublishedVideo, followersUrls: ReadonlyArray<string>) {
    const { channelActorId, instanceActorId, isPublic, sent, url: videoUrl } = video
    if (sent === null) return
    const { shared, times } = sent
    const moved = sent.channelActorId !== channelActorId
    if (shared && (moved || !isPublic)) yield* undo({ videoUrl, actorId: sent.channelActorId, times })
    if (shared && !isPublic) yield* undo({ videoUrl, actorId: instanceActorId, times })
    if (isPublic && (moved || !shared)) yield* announce(video, channelActorId, times, followersUrls)
    if (isPublic && !shared) yield* announce(video, instanceActorId, times, followersUrls)
  })

  return { begin, changed }
}
