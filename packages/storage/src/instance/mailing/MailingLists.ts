import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { type Mailing, mailingStates } from "@kinora/domain/wire/Mailing"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** A page of mailings. */
export interface MailingPage {
  readonly start: number
  readonly count: number
  readonly descending: boolean
}

type Row = Omit<Mailing, "state"> & { readonly state: number }

const mailing = (row: Row): Mailing => ({ ...row, state: mailingStates[row.state - 1]! })

/** Mails that administrators wrote to users. */
export class MailingLists extends Context.Service<
  MailingLists,
  {
    readonly list: (
      page: MailingPage
    ) => Effect.Effect<{ readonly total: number; readonly data: ReadonlyArray<Mailing> }, DatabaseUnavailable>
    readonly byId: (id: number) => Effect.Effect<Option.Option<Mailing>, DatabaseUnavailable>
  }
>()("@kinora/storage/instance/mailing/MailingLists") {
  static readonly layer = Layer.effect(
    MailingLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = sql`
        id, subject, body, author, user_ids as "userIds", role, state, queued, wire_time(created_at) as "createdAt",
        wire_time(finished_at) as "finishedAt"`

      const list = Effect.fn("MailingLists.list")(function* ({ count, descending, start }: MailingPage) {
        const way = sql.literal(descending ? "desc" : "asc")
        const totals = yield* sql<{ total: number }>`select count(*)::int as total from mailing`
        const data = yield* sql<Row>`
          select ${columns} from mailing order by created_at ${way}, id ${way} limit ${count} offset ${start}`
        return { total: totals[0]!.total, data: data.map(mailing) }
      }, withDatabaseErrors)

      const byId = Effect.fn("MailingLists.byId")(function* (id: number) {
        const rows = yield* sql<Row>`select ${columns} from mailing where id = ${id}`
        return Option.map(Option.fromUndefinedOr(rows[0]), mailing)
      }, withDatabaseErrors)

      return MailingLists.of({ list, byId })
    })
  )
}
