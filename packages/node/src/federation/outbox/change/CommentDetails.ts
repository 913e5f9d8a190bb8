import { Schema } from "effect"
import { detailsOf } from "./ChangeHandler.ts"
import { ReceivedActivity } from "../send/ReceivedActivity.ts"

const Deleted = Schema.Struct({
  state: Schema.Literal("deleted"),
  /** Whether it waited for review. */
  held: Schema.Boolean,
  url: Schema.String,
  videoId: Schema.Int,
  inReplyTo: Schema.String,
  author: Schema.Struct({
    id: Schema.Int,
    url: Schema.String,
    isRemote: Schema.Boolean,
    inbox: Schema.String,
    sharedInbox: Schema.NullOr(Schema.String)
  }),
  /** Actors who have said something above. */
  aboveActors: Schema.Array(Schema.Int),
  /** Whether the instance of its author has said so. */
  saidThere: Schema.Boolean
})
export type DeletedComment = typeof Deleted.Type

/** What the triggers of comments write down, and the inbox with it. */
export const commentDetails = detailsOf(
  Schema.Struct({
    /** Only of one that is new. */
    before: Schema.optionalKey(Schema.Struct({ exists: Schema.Literal(false) })),
    after: Schema.Union([
      Deleted,
      Schema.Struct({
        state: Schema.Literals(["posted", "approved", "changed", "approved elsewhere", "repeated"]),
        held: Schema.Boolean
      })
    ]),
    /** What of somebody elsewhere has brought, changed or deleted it. */
    received: Schema.optionalKey(ReceivedActivity)
  })
)
