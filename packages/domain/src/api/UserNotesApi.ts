import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { noteListQuery, noteParams, NoteText } from "../requests/UserNoteRequests.ts"
import { userParams } from "../requests/UserRequests.ts"
import { AddedUserNote, UserNoteList } from "../wire/UserNote.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const right = "MANAGE_USERS"
const tag = "Users"
const notes = "/api/v1/users/:id/notes"

/** Notes of moderators about users: of our own. Users never see what is noted about them. */
export class UserNotesApi extends HttpApiGroup.make("userNotes", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getUsersNotes", notes, { params: userParams, query: noteListQuery, success: UserNoteList })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag,
        summary: "List what moderators noted about a user",
        right,
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.post("postUsersNotes", notes, { params: userParams, payload: NoteText, success: AddedUserNote })
      .middleware(Authenticated)
      .annotate(Docs, { tag, summary: "Note something about a user", right, problems: problems(400, 403, 404, 409) }),
    HttpApiEndpoint.put("putUsersNotesByNoteId", `${notes}/:noteId`, {
      params: noteParams,
      payload: NoteText,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag,
        summary: "Change a note; only its author does",
        right,
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.delete("deleteUsersNotesByNoteId", `${notes}/:noteId`, {
      params: noteParams,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag,
        summary: "Delete a note; its author and administrators do",
        right,
        problems: problems(400, 403, 404)
      })
  )
  .annotate(OpenApi.Title, "User Notes") {}
