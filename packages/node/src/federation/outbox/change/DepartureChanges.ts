import { ActivityWrites } from "@kinora/storage/federation/outbox/ActivityWrites"
import { CommentPublications } from "@kinora/storage/federation/outbox/CommentPublications"
import { Effect, Schema } from "effect"
import { deleteActivity } from "../activity/Delete.ts"
import { ActivitySender } from "../send/ActivitySender.ts"
import { type ChangeHandler, detailsOf } from "./ChangeHandler.ts"
import { SenderLeft, senderOf } from "./SenderLeft.ts"

const details = detailsOf(
  Schema.Struct({
    after: Schema.Struct({
      senderId: Schema.Int,
      /** Of its followers, and of those it has followed, spoken with or rated. */
      inboxes: Schema.Array(Schema.String),
      /** Actors that stay and whose followers have something of it. */
      followed: Schema.Array(Schema.Int),
      /** What may mention somebody. */
      words: Schema.Array(Schema.String)
    }),
    sender: SenderLeft
  })
)

/** Accounts and channels that are gone: everybody who may have something of theirs hears it once. */
export const departureChanges = Effect.gen(function* () {
  const comments = yield* CommentPublications
  const sender = yield* ActivitySender
  const senderNow = senderOf(yield* ActivityWrites)

  const handle: ChangeHandler = Effect.fn("departureChanges")(function* (change) {
    const { after, sender: left } = yield* details(change)
    const actor = yield* senderNow(after.senderId, left)
    if (actor === undefined) return
    const mentioned = yield* comments.inboxesNamedIn(after.words)
    const recipients = { followersOf: after.followed, inboxes: [...after.inboxes, ...mentioned] }
    yield* sender.sendAs(actor, deleteActivity(actor.url, { recipients }))
  })
  return handle
})
