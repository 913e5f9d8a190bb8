import type { UserRegistrationState } from "@kinora/domain/enums/UserRegistrationState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Sort } from "@kinora/domain/requests/Pagination"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { safeText } from "../../platform/database/LikeText.ts"
import { registrationColumns, type RegistrationRow } from "./RegistrationRows.ts"

/** Filters of the moderators' list. */
export interface RegistrationQuery {
  readonly start: number
  readonly count: number
  readonly sort: Sort<"createdAt" | "state">
  /** Part of a name or of the email address, compared without case and accents. */
  readonly search?: string | undefined
  readonly states?: ReadonlyArray<UserRegistrationState> | undefined
}

/** A page of registrations and the total number of matches. */
export interface RegistrationPage {
  readonly total: number
  readonly data: ReadonlyArray<RegistrationRow>
}

/** Registrations, for moderators. */
export class RegistrationLists extends Context.Service<
  RegistrationLists,
  { readonly list: (query: RegistrationQuery) => Effect.Effect<RegistrationPage, DatabaseUnavailable> }
>()("@kinora/storage/registrations/RegistrationLists") {
  static readonly layer = Layer.effect(
    RegistrationLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = registrationColumns(sql)

      const matching = ({ search, states }: RegistrationQuery) =>
        sql.and([
          states === undefined ? sql`true` : sql`r.state = any(${states}::smallint[])`,
          search === undefined || search === ""
            ? sql`true`
            : sql`search_text(concat_ws(' ', r.username, r.email, r.account_display_name, r.channel_handle,
                r.channel_display_name)) like search_pattern(${safeText(search)}::text)`
        ])

      const order = ({ sort }: RegistrationQuery) => {
        if (sort.by === "createdAt") {
          return sort.descending ? sql`r.created_at desc, r.id desc` : sql`r.created_at, r.id`
        }
        return sort.descending ? sql`r.state desc, r.created_at desc, r.id desc` : sql`r.state, r.created_at, r.id`
      }

      const list = Effect.fn("RegistrationLists.list")(function* (query: RegistrationQuery) {
        const where = matching(query)
        const totals = yield* sql<{ total: number }>`select count(*) as total from user_registration r where ${where}`
        const data =
          query.count === 0
            ? []
            : yield* sql<RegistrationRow>`
                select ${columns} from user_registration r where ${where}
                order by ${order(query)} limit ${query.count} offset ${query.start}
              `
        return { total: totals[0]!.total, data }
      }, withDatabaseErrors)

      return RegistrationLists.of({ list })
    })
  )
}
