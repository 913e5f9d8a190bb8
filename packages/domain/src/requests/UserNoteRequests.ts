import { Schema } from "effect"
import { field } from "../fields/Field.ts"
import { text } from "../fields/Readers.ts"
import { pageReaders } from "./Pagination.ts"
import { query } from "./Query.ts"
import { rowId } from "./UserFields.ts"

/** Notes that one user may have. */
export const mostNotes = 500

/** Body of `POST /users/{id}/notes` and `PUT /users/{id}/notes/{noteId}`. */
export const NoteText = Schema.Struct({
  text: field(text({ min: 1, max: 3000, message: "Must be a text of 1 to 3000 characters" }))
})

/** Path of one note. */
export const noteParams = { id: field(rowId("a user")), noteId: field(rowId("a note")) }

/** Query of `GET /users/{id}/notes`. */
export const noteListQuery = query(pageReaders(["createdAt"]))
