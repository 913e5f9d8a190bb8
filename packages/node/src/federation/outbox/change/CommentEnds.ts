import { publicAudience } from "@kinora/federation/activities/Audience"
import { ActivityWrites } from "@kinora/storage/federation/outbox/ActivityWrites"
import { type CommentedVideo, CommentPublications } from "@kinora/storage/federation/outbox/CommentPublications"
import { Effect } from "effect"
import { KinoraConfig } from "../../../platform/config/Config.ts"
import { deleteActivity } from "../activity/Delete.ts"
import { rejectReplyActivity } from "../activity/ReviewAnswer.ts"
import { ActivitySender, hostOf } from "../send/ActivitySender.ts"
import { Conversations } from "../send/Conversations.ts"
import type { DeletedComment } from "./CommentDetails.ts"
import type { ReceivedActivity } from "../send/ReceivedActivity.ts"

/**
 * The end of a comment. Below a video of ours its owner's account says so of what others wrote, unless they have said it
 * themselves in a way that can be sent on; what was never seen is not mentioned, but to the instance of the video, which got it,
 * and to who waits to be let in.
 */
export const makeCommentEnds = Effect.gen(function* () {
  const writes = yield* ActivityWrites
  const comments = yield* CommentPublications
  const sender = yield* ActivitySender
  const conversations = yield* Conversations
  const { origin } = (yield* KinoraConfig).derived

  const elsewhere = Effect.fnUntraced(function* (comment: DeletedComment, video: CommentedVideo) {
    const { aboveActors, author, held, url } = comment
    if (author.isRemote || video.originInbox === null) return
    const recipients = held
      ? { followersOf: [], inboxes: [video.originInbox] }
      : {
          followersOf: [author.id],
          inboxes: [...(yield* comments.inboxesOfActors(aboveActors)), video.originInbox]
        }
    yield* sender.send(author.id, deleteActivity(url, { recipients }))
  })

  const byItsAuthor = Effect.fnUntraced(function* (
    { aboveActors, author, url }: DeletedComment,
    video: CommentedVideo,
    followed: ReadonlyArray<number>
  ) {
    const actor = yield* writes.sender(author.id)
    if (actor === undefined) return
    const followersOf = [author.id, ...followed]
    const audience = publicAudience([], yield* writes.followersUrls(followersOf))
    const recipients = { followersOf, inboxes: yield* comments.inboxesOfActors(aboveActors) }
    yield* conversations.send(actor, deleteActivity(url, { audience, recipients }), video)
  })

  /** Under an id of ours: who holds ids against their senders refuses any other. */
  const byTheOwner = Effect.fnUntraced(function* (
    id: number,
    { aboveActors, author, saidThere, url }: DeletedComment,
    video: CommentedVideo,
    followed: ReadonlyArray<number>
  ) {
    const owner = yield* writes.sender(video.ownerActorId)
    if (owner === undefined) return
    const base = url.startsWith(`${origin}/`) ? url : `${video.url}/comments/${id}`
    const theirs = saidThere ? [] : [author.sharedInbox ?? author.inbox]
    const draft = deleteActivity(url, {
      uri: `${base}/delete`,
      audience: publicAudience([], yield* writes.followersUrls(followed)),
      recipients: {
        followersOf: followed,
        inboxes: [...(yield* comments.inboxesOfActors(aboveActors)), ...theirs],
        besides: saidThere ? hostOf(author.inbox) : undefined
      }
    })
    yield* conversations.send(owner, draft, video)
  })

  return Effect.fnUntraced(function* (
    id: number,
    comment: DeletedComment,
    received: ReceivedActivity | undefined,
    video: CommentedVideo
  ) {
    const { author, held, inReplyTo, saidThere, url } = comment
    if (video.isRemote) return yield* elsewhere(comment, video)
    if (held) {
      if (saidThere) return
      const reviewed = { id, url, inReplyTo, videoUrl: video.url, authorUrl: author.url, authorInbox: author.inbox }
      return yield* sender.send(video.ownerActorId, rejectReplyActivity(reviewed))
    }
    if (!video.isKnown) return
    const followed = [video.channelActorId, video.ownerActorId, video.instanceActorId]
    if (!author.isRemote) return yield* byItsAuthor(comment, video, followed)
    if (received?.type === "Delete" && received.object === url && received.signed !== null) {
      return yield* conversations.forward(received, url, video)
    }
    yield* byTheOwner(id, comment, video, followed)
  })
})
