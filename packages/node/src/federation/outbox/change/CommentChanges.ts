import { publicAudience } from "@kinora/federation/activities/Audience"
import type { NoteRow } from "@kinora/storage/federation/activitypub/rows/NoteRow"
import { ActivityWrites } from "@kinora/storage/federation/outbox/ActivityWrites"
import {
  type CommentedVideo,
  CommentPublications,
  type PublishedComment
} from "@kinora/storage/federation/outbox/CommentPublications"
import { Effect, Schema } from "effect"
import { KinoraConfig } from "../../../platform/config/Config.ts"
import { noteDocument } from "../../activitypub/documents/Note.ts"
import { createActivity } from "../activity/Create.ts"
import { approveReplyActivity } from "../activity/ReviewAnswer.ts"
import { ActivitySender, hostOf } from "../send/ActivitySender.ts"
import { Conversations } from "../send/Conversations.ts"
import type { ChangeHandler } from "./ChangeHandler.ts"
import { commentDetails } from "./CommentDetails.ts"
import { makeCommentEnds } from "./CommentEnds.ts"
import type { ReceivedActivity } from "../send/ReceivedActivity.ts"

const decodeObject = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.JsonObject))

/** Whom a comment mentions, the authors of those above it included. */
const mentionedBy = ({ mentions }: NoteRow): ReadonlyArray<string> => mentions.map(({ url }) => url)

/** Comments: those of ours are sent to who follows, is answered or mentioned; those of others below our videos are sent on. */
export const commentChanges = Effect.gen(function* () {
  const comments = yield* CommentPublications
  const writes = yield* ActivityWrites
  const sender = yield* ActivitySender
  const conversations = yield* Conversations
  const ended = yield* makeCommentEnds
  const { origin } = (yield* KinoraConfig).derived

  /** It is for the instance of the video to say who may read it: nobody else gets it while it waits for that. */
  const sentElsewhere = Effect.fnUntraced(function* (
    id: number,
    { authorId, url }: PublishedComment,
    { originInbox }: CommentedVideo,
    held: boolean
  ) {
    const row = yield* comments.note(id)
    const mentioned = held ? [] : yield* comments.inboxesOf(mentionedBy(row))
    const recipients = {
      followersOf: held ? [] : [authorId],
      inboxes: originInbox === null ? mentioned : [originInbox, ...mentioned]
    }
    const object = noteDocument(row, origin)
    yield* sender.send(authorId, createActivity(`${url}/activity`, { object, context: "Comment", recipients }))
  })

  /** Who reads a comment below a video of ours: what is below one that is not for everybody is for those who follow. */
  const sentHere = Effect.fnUntraced(function* (
    id: number,
    { authorId, url }: PublishedComment,
    video: CommentedVideo
  ) {
    const author = yield* writes.sender(authorId)
    if (author === undefined) return
    const followersOf = [authorId, video.channelActorId, video.ownerActorId, video.instanceActorId]
    const row = yield* comments.note(id)
    const mentioned = mentionedBy(row)
    const followers = yield* writes.followersUrls(followersOf)
    const audience = video.isPublic
      ? publicAudience([], [...followers, ...mentioned])
      : { to: followers, cc: mentioned }
    const recipients = { followersOf, inboxes: yield* comments.inboxesOf(mentioned) }
    const object = { ...noteDocument(row, origin), ...audience }
    const draft = createActivity(`${url}/activity`, { object, context: "Comment", recipients })
    yield* conversations.send(author, draft, video)
  })

  const ofOurs = Effect.fnUntraced(function* (
    id: number,
    comment: PublishedComment,
    video: CommentedVideo,
    change: { readonly isNew: boolean; readonly held: boolean; readonly isApprovedThere: boolean }
  ) {
    if (video.isRemote) {
      if (change.isNew || change.isApprovedThere) yield* sentElsewhere(id, comment, video, change.held)
    } else if (!change.held && video.isPushed && comment.isFederated) yield* sentHere(id, comment, video)
  })

  /** What others say cannot always be sent on as it came; as the word of the channel it can. */
  const passedOn = Effect.fnUntraced(function* (
    url: string,
    received: ReceivedActivity | undefined,
    isShown: boolean,
    video: CommentedVideo
  ) {
    const besides = hostOf(url)
    const text = received?.text ?? null
    if (received !== undefined && text !== null) {
      const payload = yield* Effect.orDie(decodeObject(text))
      yield* conversations.announce({ uri: received.uri, payload, thing: url, besides }, video)
    } else if (isShown) yield* conversations.announce({ uri: url, payload: url, thing: url, besides }, video)
  })

  const handle: ChangeHandler = Effect.fn("commentChanges")(function* (change) {
    const { after, before, received } = yield* commentDetails(change)
    const id = change.thingId
    if (after.state === "deleted") {
      const video = yield* comments.video(after.videoId)
      if (video !== undefined) yield* ended(id, after, received, video)
      return
    }
    const comment = yield* comments.of(id)
    const video = comment === undefined ? undefined : yield* comments.video(comment.videoId)
    if (comment === undefined || video === undefined) return
    const { held, state } = after
    const isNew = before !== undefined
    const isApproved = state === "approved" && !isNew
    if (!comment.isByOthers) {
      return yield* ofOurs(id, comment, video, {
        isNew,
        held,
        isApprovedThere: state === "approved elsewhere" && !isNew
      })
    }
    if (video.isRemote || held) return
    const { authorInbox, authorUrl, inReplyTo, url } = comment
    if (isApproved || (isNew && video.asksReview)) {
      const reviewed = { id, url, inReplyTo, videoUrl: video.url, authorUrl, authorInbox }
      yield* sender.send(video.ownerActorId, approveReplyActivity(reviewed))
    }
    if (received !== undefined && !isApproved) yield* conversations.forward(received, url, video)
    if (state !== "repeated") yield* passedOn(url, received, isNew || isApproved, video)
  })
  return handle
})
