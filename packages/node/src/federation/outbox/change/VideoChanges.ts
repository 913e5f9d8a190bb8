import { type Audience, publicAudience } from "@kinora/federation/activities/Audience"
import type { VideoDocument } from "@kinora/federation/documents/VideoDocument"
import { ActivityWrites, type Sender } from "@kinora/storage/federation/outbox/ActivityWrites"
import { type PublishedVideo, VideoPublications } from "@kinora/storage/federation/outbox/VideoPublications"
import { DateTime, Effect } from "effect"
import { KinoraConfig } from "../../../platform/config/Config.ts"
import { videoDocument } from "../../activitypub/documents/Video.ts"
import { chaptersDocument, playerSettingsDocument } from "../../activitypub/documents/VideoParts.ts"
import { createActivity } from "../activity/Create.ts"
import { deleteActivity } from "../activity/Delete.ts"
import { numbered } from "../activity/Numbered.ts"
import { updateActivity } from "../activity/Update.ts"
import { ActivitySender } from "../send/ActivitySender.ts"
import type { ChangeHandler } from "./ChangeHandler.ts"
import { digestOf } from "./Digest.ts"
import { senderOf } from "./SenderLeft.ts"
import { followersHere, makeVideoShares } from "./VideoShares.ts"
import { type DeletedVideo, videoDetails } from "./VideoDetails.ts"

/** What is compared with what was sent last: all but counters and times. */
const comparedOf = ({ downloads: _d, updated: _u, views: _v, ...compared }: VideoDocument) => compared

/** Everybody whose followers have a video: those of now, and those where it was before. */
const followedOf = (video: PublishedVideo): ReadonlyArray<number> => {
  const { sent } = video
  return sent === null
    ? followersHere(video)
    : [...followersHere(video), sent.accountActorId, sent.channelActorId, ...sent.former]
}

/**
 * Videos: whoever follows the channel, the account or the instance hears of what can be seen by everybody, of what is new about
 * it, and of its end (docs/decisions/outbox.md).
 */
export const videoChanges = Effect.gen(function* () {
  const publications = yield* VideoPublications
  const writes = yield* ActivityWrites
  const sender = yield* ActivitySender
  const shares = makeVideoShares(writes, sender)
  const senderNow = senderOf(writes)
  const { origin } = (yield* KinoraConfig).derived

  const deletion = Effect.fnUntraced(function* (url: string, times: number, followed: ReadonlyArray<number>) {
    return deleteActivity(url, {
      uri: numbered(`${url}/delete`, times),
      audience: publicAudience(yield* writes.followersUrls(followed)),
      recipients: { followersOf: followed, inboxes: [] }
    })
  })

  const deleted = Effect.fnUntraced(function* (video: DeletedVideo, left: Omit<Sender, "id"> | undefined) {
    if (!(video.leaving ? video.announced === true : (video.announced ?? video.known))) return
    const account = yield* senderNow(video.senderId, left)
    if (account === undefined) return
    yield* sender.sendAs(account, yield* deletion(video.deletedUrl, video.times, video.followed))
  })

  const handle: ChangeHandler = Effect.fn("videoChanges")(function* (change) {
    const { after, before, sender: left } = yield* videoDetails(change)
    if (after !== undefined && "deletedUrl" in after) return yield* deleted(after, left)
    const isRecounted = after !== undefined
    const videoId = change.thingId
    const video = yield* publications.of(videoId)
    if (video === undefined) return
    const { accountActorId, sent, url } = video
    const followed = followedOf(video)
    if (!(yield* writes.hasRemoteFollowers(followed))) return yield* publications.forget(videoId)
    // What was open may be known though it was not sent: who came later asked for what there was.
    const isKnown = sent?.announced ?? before.open
    if (!video.isPushed) {
      // What others have of one that comes back stays until then.
      if (video.comesBack || isRecounted) return
      if (isKnown) yield* sender.send(accountActorId, yield* deletion(url, sent?.times ?? 1, followed))
      return yield* publications.withdraw(videoId)
    }
    // Nothing is said of what moderators hide without taking it from others.
    if (!video.isShown) return
    const rows = yield* publications.rows(videoId)
    const object = videoDocument(rows.video, origin)
    const digest = digestOf(JSON.stringify(comparedOf(object)), JSON.stringify(chaptersDocument(rows.chapters)))
    const here = yield* writes.followersUrls(followersHere(video))
    // What is not for everybody is for those who follow, and passed on by nobody.
    const audience: Audience | undefined = video.isPublic ? undefined : { to: here, cc: [] }
    if (isKnown) {
      yield* shares.changed(video, here)
      if (isRecounted || sent?.digest !== digest) {
        const recipients = { followersOf: followed, inboxes: [] }
        const now = yield* DateTime.now
        yield* sender.send(accountActorId, updateActivity(url, { object, audience, context: "Video", recipients, now }))
      }
    } else {
      const times = (sent?.times ?? 0) + 1
      // Followers of channel and instance hear of a public one from these.
      const followersOf = video.isPublic ? [accountActorId] : followersHere(video)
      yield* sender.send(
        accountActorId,
        createActivity(numbered(`${url}/activity`, times), {
          object,
          audience,
          context: "Video",
          recipients: { followersOf, inboxes: [] }
        })
      )
      if (video.isPublic) yield* shares.begin(video, times, here)
    }
    yield* publications.remember(videoId, { video, digest })
  })
  return handle
})

/** How a video is to be played, which is an object of its own. */
export const videoPlayerSettingsChanges = Effect.gen(function* () {
  const publications = yield* VideoPublications
  const writes = yield* ActivityWrites
  const sender = yield* ActivitySender

  const handle: ChangeHandler = Effect.fn("videoPlayerSettingsChanges")(function* ({ thingId: videoId }) {
    const video = yield* publications.of(videoId)
    if (video === undefined || !video.isPushed || !video.isShown) return
    const followed = followersHere(video)
    yield* sender.send(
      video.accountActorId,
      updateActivity(`${video.url}/player-settings`, {
        now: yield* DateTime.now,
        object: playerSettingsDocument(yield* publications.playerSettings(videoId)),
        audience: video.isPublic ? undefined : { to: yield* writes.followersUrls(followed), cc: [] },
        context: "PlayerSettings",
        recipients: { followersOf: followed, inboxes: [] }
      })
    )
  })
  return handle
})
