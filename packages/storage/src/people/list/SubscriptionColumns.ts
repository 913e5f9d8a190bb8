import { labelled, type Labelled } from "@kinora/domain/enums/Labelled"
import { listSubscriptionStateLabels } from "@kinora/domain/enums/ListSubscriptionState"
import type { ListPage } from "@kinora/domain/requests/ActorListQueries"
import type { ListSubscriptionColumn } from "@kinora/domain/requests/ListSubscriptionRequests"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { escapeLike } from "../../platform/database/LikeText.ts"

/** What every subscription shows, as its row has it. Times are ISO 8601. */
export interface SubscriptionRow {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly stateId: number
  readonly lastError: string | null
  readonly lastSyncAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Columns of `SubscriptionRow`, of a row `s`. */
export const subscriptionColumns = `s.id, s.name, s.url, s.state as "stateId", s.last_error as "lastError",
  wire_time(s.last_sync_at) as "lastSyncAt", wire_time(s.created_at) as "createdAt", wire_time(s.updated_at) as "updatedAt"`

/** One that was never fetched counts as the oldest. */
const orders: Readonly<Record<ListSubscriptionColumn, string>> = {
  createdAt: "s.created_at",
  updatedAt: "s.updated_at",
  lastSyncAt: "coalesce(s.last_sync_at, '-infinity')",
  name: "lower(s.name)"
}

/** Condition on subscriptions `s`: what is searched for is in their name or address. */
export const subscriptionsFound = (sql: SqlClient, { search }: ListPage<ListSubscriptionColumn>): Fragment => {
  if (search === undefined) return sql`true`
  const pattern = `%${escapeLike(search)}%`
  return sql`(s.name ilike ${pattern} or s.url ilike ${pattern})`
}

/** Order and bounds of a page of subscriptions `s`. */
export const subscriptionsOrder = (sql: SqlClient, page: ListPage<ListSubscriptionColumn>): Fragment => {
  const way = direction(sql, page.sort.descending)
  return sql`order by ${sql.literal(orders[page.sort.by])} ${way}, s.id ${way} ${limit(sql, page)}`
}

/** Members that every subscription has on the wire. */
export const subscriptionMembers = (row: SubscriptionRow) => ({
  id: row.id,
  name: row.name,
  url: row.url,
  lastSyncAt: row.lastSyncAt,
  state: labelled(row.stateId, listSubscriptionStateLabels) satisfies Labelled<number>,
  lastError: row.lastError,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt
})
