import { Schema } from "effect"
import { Audience } from "../activities/Audience.ts"

/** A comment, as other instances read it (contract: Note). */
export const NoteDocument = Schema.Struct({
  ...Audience.fields,
  type: Schema.Literal("Note"),
  id: Schema.String,
  content: Schema.String,
  mediaType: Schema.Literal("text/markdown"),
  /** The comment or video it answers. */
  inReplyTo: Schema.String,
  updated: Schema.String,
  published: Schema.String,
  url: Schema.String,
  attributedTo: Schema.String,
  /** The approval by the owner of the video; null while there is none. */
  replyApproval: Schema.NullOr(Schema.String),
  tag: Schema.Array(Schema.Struct({ type: Schema.Literal("Mention"), href: Schema.String, name: Schema.String })),
  /** The channel of the video. */
  audience: Schema.String
})
export type NoteDocument = typeof NoteDocument.Type

/** A deleted comment that has replies (contract: Tombstone). */
export const TombstoneDocument = Schema.Struct({
  id: Schema.String,
  type: Schema.Literal("Tombstone"),
  formerType: Schema.Literal("Note"),
  inReplyTo: Schema.String,
  published: Schema.String,
  updated: Schema.String,
  deleted: Schema.String
})
export type TombstoneDocument = typeof TombstoneDocument.Type
