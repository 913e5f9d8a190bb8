import { Schema } from "effect"
import { detailsOf } from "./ChangeHandler.ts"

const Deleted = Schema.Struct({
  state: Schema.Literal("deleted"),
  /** Whether it waited to be let in. */
  held: Schema.Boolean,
  url: Schema.String,
  videoId: Schema.Int,
  inReplyTo: Schema.String,
  author: Schema.Struct({
    id: Schema.Int,
    url: Schema.String,
    isRemote: Schema.Boolean,
    inbox: Schema.String,
    /** (Shared) inbox of one elsewhere. */
    sharedInbox: Schema.NullOr(Schema.String)
  }),
  /** (Shared) inboxes of those who have said something above. */
  aboveInboxes: Schema.Array(Schema.String),
  /** Whether the instance of its author has said so. */
  saidThere: Schema.Boolean
})
export type DeletedComment = typeof Deleted.Type

const Came = Schema.Struct({
  uri: Schema.String,
  type: Schema.String,
  object: Schema.NullOr(Schema.String),
  signed: Schema.NullOr(Schema.String),
  text: Schema.NullOr(Schema.String)
})
export type Came = typeof Came.Type

/** What the triggers of comments write down. */
export const commentDetails = detailsOf(
  Schema.Struct({
    /** Only of one that is new. */
    before: Schema.optionalKey(Schema.Struct({ exists: Schema.Literal(false) })),
    after: Schema.Union([
      Deleted,
      Schema.Struct({
        state: Schema.Literals(["posted", "approved", "changed", "let in", "came again"]),
        held: Schema.Boolean
      })
    ]),
    /** What brought it, of somebody elsewhere. */
    came: Schema.optionalKey(Came)
  })
)
