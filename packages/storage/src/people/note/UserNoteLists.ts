import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { UserNote } from "@kinora/domain/wire/UserNote"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** A page of notes about one user. */
export interface NotePage {
  readonly start: number
  readonly count: number
  readonly descending: boolean
}

/** Notes of moderators about users, as moderators read them. */
export class UserNoteLists extends Context.Service<
  UserNoteLists,
  {
    readonly of: (
      userId: number,
      page: NotePage
    ) => Effect.Effect<{ readonly total: number; readonly data: ReadonlyArray<UserNote> }, DatabaseUnavailable>
  }
>()("@kinora/storage/people/note/UserNoteLists") {
  static readonly layer = Layer.effect(
    UserNoteLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const of = Effect.fn("UserNoteLists.of")(function* (userId: number, { count, descending, start }: NotePage) {
        const way = sql.literal(descending ? "desc" : "asc")
        const totals = yield* sql<{ total: number }>`
          select count(*)::int as total from user_note where user_id = ${userId}`
        const data = yield* sql<UserNote>`
          select n.id, n.text, coalesce(u.username::text, n.author) as author, wire_time(n.created_at) as "createdAt",
            wire_time(n.updated_at) as "updatedAt"
          from user_note n left join app_user u on u.id = n.author_id
          where n.user_id = ${userId} order by n.id ${way} limit ${count} offset ${start}`
        return { total: totals[0]!.total, data }
      }, withDatabaseErrors)
      return UserNoteLists.of({ of })
    })
  )
}
