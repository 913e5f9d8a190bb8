import { Schema } from "effect"
import { detailsOf } from "./ChangeHandler.ts"
import { SenderLeft } from "./SenderLeft.ts"

/** A video that is deleted, as it was. */
const Deleted = Schema.Struct({
  deletedUrl: Schema.String,
  senderId: Schema.Int,
  /** With its account or channel: others hear that from these. */
  leaving: Schema.Boolean,
  /** Actors whose followers have it. */
  followed: Schema.Array(Schema.Int),
  /** Null: nothing was sent of it. */
  announced: Schema.NullOr(Schema.Boolean),
  /** Whether others may have asked for it. */
  known: Schema.Boolean,
  times: Schema.Int
})
export type DeletedVideo = typeof Deleted.Type

/** What the triggers of videos write down. */
export const videoDetails = detailsOf(
  Schema.Struct({
    /** Whether others could know of it before the transaction. */
    before: Schema.Struct({ open: Schema.Boolean }),
    after: Schema.optionalKey(
      // Its counters are due, and nothing else may have changed.
      Schema.Union([Deleted, Schema.Struct({ recounted: Schema.Literal(true) })])
    ),
    sender: SenderLeft
  })
)
