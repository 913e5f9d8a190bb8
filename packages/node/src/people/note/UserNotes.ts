import { Conflict, UserNoteNotFound, UserNotFound } from "@kinora/domain/errors/ActorErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { UserRole } from "@kinora/domain/enums/UserRole"
import { mostNotes } from "@kinora/domain/requests/UserNoteRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { isOperator } from "@kinora/domain/users/Operator"
import type { UserNoteList } from "@kinora/domain/wire/UserNote"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { type NotePage, UserNoteLists } from "@kinora/storage/people/note/UserNoteLists"
import { type NoteFacts, UserNoteRows } from "@kinora/storage/people/note/UserNoteRows"
import { UserChanges } from "@kinora/storage/people/user/UserChanges"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { isRoot, mayOnUser } from "../rights/UserRights.ts"

type Refused = UserNotFound | Forbidden | DatabaseUnavailable
type OfNote = Refused | UserNoteNotFound

/** Notes of moderators about users. Nobody sees what is noted about themselves: about moderators only administrators note. */
export class UserNotes extends Context.Service<
  UserNotes,
  {
    readonly list: (asker: CurrentUserShape, userId: number, page: NotePage) => Effect.Effect<UserNoteList, Refused>
    /** Gives the id of the note. */
    readonly add: (asker: CurrentUserShape, userId: number, text: string) => Effect.Effect<number, Refused | Conflict>
    /** Only its author changes a note. */
    readonly update: (
      asker: CurrentUserShape,
      userId: number,
      noteId: number,
      text: string
    ) => Effect.Effect<void, OfNote>
    /** Its author and administrators delete a note. */
    readonly remove: (asker: CurrentUserShape, userId: number, noteId: number) => Effect.Effect<void, OfNote>
  }
>()("@kinora/node/people/note/UserNotes") {
  static readonly layer = Layer.effect(
    UserNotes,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const users = yield* UserChanges
      const rows = yield* UserNoteRows
      const lists = yield* UserNoteLists
      const audit = yield* AuditTrail

      /** Locks the user, if the asker may note something about them. */
      const open = Effect.fnUntraced(function* (asker: CurrentUserShape, userId: number) {
        const [user] = yield* users.lock([userId])
        if (user === undefined) return yield* new UserNotFound()
        if (mayOnUser(asker, "notes", { ...user, isRoot: isRoot(user) })) return user
        return yield* new Forbidden({ reason: "Only administrators see notes about this user" })
      })

      const note = Effect.fnUntraced(function* (
        asker: CurrentUserShape,
        userId: number,
        noteId: number,
        may: (note: NoteFacts) => boolean,
        reason: string
      ) {
        const user = yield* open(asker, userId)
        const found = yield* rows.lock(userId, noteId)
        if (Option.isNone(found)) return yield* new UserNoteNotFound()
        if (!may(found.value)) return yield* new Forbidden({ reason })
        return { user, text: found.value.text }
      })

      const isAuthor = (asker: CurrentUserShape) => (found: NoteFacts) => found.authorId === asker.id

      const list = Effect.fn("UserNotes.list")(
        function* (asker: CurrentUserShape, userId: number, page: NotePage) {
          yield* open(asker, userId)
          return yield* lists.of(userId, page)
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const add = Effect.fn("UserNotes.add")(
        function* (asker: CurrentUserShape, userId: number, text: string) {
          const { username } = yield* open(asker, userId)
          const author = isOperator(asker)
            ? { authorId: null, author: null }
            : { authorId: asker.id, author: asker.username }
          const id = yield* rows.add({ userId, text, ...author }, mostNotes)
          if (id === undefined) return yield* new Conflict({ reason: `A user has at most ${mostNotes} notes` })
          const target = { userId, username, noteId: id }
          yield* audit.record(asker, { domain: "user-note", action: "create", target, after: { text } })
          return id
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const update = Effect.fn("UserNotes.update")(
        function* (asker: CurrentUserShape, userId: number, noteId: number, text: string) {
          const reason = "Only its author changes a note"
          const { text: former, user } = yield* note(asker, userId, noteId, isAuthor(asker), reason)
          if (former === text) return
          yield* rows.update(noteId, text)
          const target = { userId, username: user.username, noteId }
          const values = { before: { text: former }, after: { text } }
          yield* audit.record(asker, { domain: "user-note", action: "update", target, ...values })
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const remove = Effect.fn("UserNotes.remove")(
        function* (asker: CurrentUserShape, userId: number, noteId: number) {
          const may = (found: NoteFacts) => asker.role === UserRole.administrator || isAuthor(asker)(found)
          const reason = "Only its author and administrators delete a note"
          const { text, user } = yield* note(asker, userId, noteId, may, reason)
          yield* rows.remove(noteId)
          const target = { userId, username: user.username, noteId }
          yield* audit.record(asker, { domain: "user-note", action: "delete", target, before: { text } })
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      return UserNotes.of({ list, add, update, remove })
    })
  ).pipe(Layer.provide(Layer.mergeAll(UserNoteRows.layer, UserNoteLists.layer)))
}
