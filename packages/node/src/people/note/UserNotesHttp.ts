import { defaultPage } from "@kinora/domain/requests/Pagination"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { UserNotes } from "./UserNotes.ts"

/** Notes of moderators about users. */
export const layer = apiGroup(
  "userNotes",
  Effect.fnUntraced(function* (handlers) {
    const notes = yield* UserNotes
    return handlers.handleAll({
      getUsersNotes: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const { count, sort, start } = { ...defaultPage, ...query }
            const page = { start, count, descending: sort?.descending ?? true }
            return yield* notes.list(yield* CurrentUser, params.id, page)
          })
        ),
      postUsersNotes: ({ params, payload }) =>
        answer(
          Effect.gen(function* () {
            return { note: { id: yield* notes.add(yield* CurrentUser, params.id, payload.text) } }
          })
        ),
      putUsersNotesByNoteId: ({ params, payload }) =>
        answer(Effect.flatMap(CurrentUser, (asker) => notes.update(asker, params.id, params.noteId, payload.text))),
      deleteUsersNotesByNoteId: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (asker) => notes.remove(asker, params.id, params.noteId)))
    } satisfies Answers<"userNotes">)
  })
)
