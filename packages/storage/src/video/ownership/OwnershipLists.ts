import type { OwnershipState } from "@kinora/domain/enums/OwnershipState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ListPage } from "@kinora/domain/requests/ActorListQueries"
import type { ChangeOwnership } from "@kinora/domain/wire/ChangeOwnership"
import type { JsonPage } from "@kinora/domain/wire/Json"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { textPage } from "../../platform/database/TextPage.ts"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { ownershipColumns, type OwnershipRow, ownershipTexts } from "./OwnershipJson.ts"
import { type Owned, type OwnedKind, itemColumn } from "./OwnedItem.ts"

type MaybeRequest = { readonly total: number } & (OwnershipRow | { readonly id: null })

const isRequest = (row: MaybeRequest): row is MaybeRequest & OwnershipRow => row.id !== null

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const list = Effect.fnUntraced(function* (condition: Fragment, page: ListPage<"createdAt">) {
    const way = direction(sql, page.sort.descending)
    const rows = yield* sql<MaybeRequest>`
      select t.total, p.* from (select count(*) as total from ownership_change where ${condition}) t left join (
        select ${sql.literal(ownershipColumns)}, r.created_at as at from (
          select * from ownership_change where ${condition} order by created_at ${way}, id ${way} ${limit(sql, page)}
        ) r
      ) p on true order by p.at ${way}, p.id ${way}`
    return textPage(rows[0]?.total ?? 0, yield* ownershipTexts(sql, rows.filter(isRequest)))
  }, withDatabaseErrors)

  const sentTo = (kind: OwnedKind, accountId: number, page: ListPage<"createdAt">) =>
    list(sql`next_owner_account_id = ${accountId} and ${itemColumn(sql, kind)} is not null`, page)

  const about = (item: Owned, state: OwnershipState | null, page: ListPage<"createdAt">) =>
    list(
      sql`${itemColumn(sql, item.kind)} = ${item.id}
        and (${state}::smallint is null or state = ${state}::smallint)`,
      page
    )

  return OwnershipLists.of({ sentTo, about })
})

/** Lists of requests to transfer videos and channels: `{"total":…,"data":[…]}` as JSON text (contract: ChangeOwnership). */
export class OwnershipLists extends Context.Service<
  OwnershipLists,
  {
    /** Requests that an account received, in any state. */
    readonly sentTo: (
      kind: OwnedKind,
      accountId: number,
      page: ListPage<"createdAt">
    ) => Effect.Effect<JsonPage<ChangeOwnership>, DatabaseUnavailable>
    readonly about: (
      item: Owned,
      state: OwnershipState | null,
      page: ListPage<"createdAt">
    ) => Effect.Effect<JsonPage<ChangeOwnership>, DatabaseUnavailable>
  }
>()("@kinora/storage/video/ownership/OwnershipLists") {
  static readonly layer = Layer.effect(OwnershipLists, make)
}
