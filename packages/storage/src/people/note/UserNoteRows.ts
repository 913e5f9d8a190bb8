import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** What decisions about a note need, and what its entry in the audit log keeps. */
export interface NoteFacts {
  readonly id: number
  readonly userId: number
  /** Null: the operator wrote it, or its author is gone. */
  readonly authorId: number | null
  readonly text: string
}

export interface NewNote {
  readonly userId: number
  readonly authorId: number | null
  readonly author: string | null
  readonly text: string
}

/** Notes of moderators about users. Calls inside `sql.withTransaction` take part in it. */
export class UserNoteRows extends Context.Service<
  UserNoteRows,
  {
    /** Gives its row id. Undefined: the user has as many as `most`. The caller has locked the user. */
    readonly add: (note: NewNote, most: number) => Effect.Effect<number | undefined, DatabaseUnavailable>
    /** A note about this user, locked until the transaction ends. */
    readonly lock: (userId: number, noteId: number) => Effect.Effect<Option.Option<NoteFacts>, DatabaseUnavailable>
    readonly update: (noteId: number, text: string) => Effect.Effect<void, DatabaseUnavailable>
    readonly remove: (noteId: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/people/note/UserNoteRows") {
  static readonly layer = Layer.effect(
    UserNoteRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      return UserNoteRows.of({
        add: Effect.fn("UserNoteRows.add")(function* ({ author, authorId, text, userId }, most) {
          const [row] = yield* sql<{ id: number }>`
            insert into user_note (user_id, author_id, author, text)
            select ${userId}, ${authorId}::integer, ${author}::text, ${text}
            where (select count(*) from user_note where user_id = ${userId}) < ${most} returning id`
          return row?.id
        }, withDatabaseErrors),
        lock: Effect.fn("UserNoteRows.lock")(function* (userId, noteId) {
          const rows = yield* sql<NoteFacts>`
            select id, user_id as "userId", author_id as "authorId", text from user_note
            where id = ${noteId} and user_id = ${userId} for update`
          return Option.fromUndefinedOr(rows[0])
        }, withDatabaseErrors),
        update: Effect.fn("UserNoteRows.update")(function* (noteId, text) {
          yield* sql`update user_note set text = ${text}, updated_at = now() where id = ${noteId}`
        }, withDatabaseErrors),
        remove: Effect.fn("UserNoteRows.remove")(function* (noteId) {
          yield* sql`delete from user_note where id = ${noteId}`
        }, withDatabaseErrors)
      })
    })
  )
}
