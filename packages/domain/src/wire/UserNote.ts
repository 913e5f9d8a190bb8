import { Schema } from "effect"
import { NullableString, Page, Timestamp } from "./Scalars.ts"

/** What a moderator noted about a user, for other moderators. */
export const UserNote = Schema.Struct({
  id: Schema.Int,
  text: Schema.String,
  author: NullableString.annotate({ description: "Username of the moderator; null: the operator, in a shell" }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "UserNote" })
export type UserNote = typeof UserNote.Type

export const UserNoteList = Page(UserNote)
export type UserNoteList = typeof UserNoteList.Type

/** What adding a note answers. */
export const AddedUserNote = Schema.Struct({ note: Schema.Struct({ id: Schema.Int }) }).annotate({
  identifier: "AddedUserNote"
})
