import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { AbuseListQuery } from "@kinora/domain/requests/AbuseRequests"
import type { AdminAbuse, UserAbuse } from "@kinora/domain/wire/Abuse"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { blockersOf } from "../../people/account/OwnerBlocks.ts"
import type { ActorRow } from "../../people/actor/ActorJson.ts"
import { actorRows } from "../../people/actor/ActorTexts.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { SlowSql } from "../../platform/database/SlowSql.ts"
import { abuseTables, adminColumns, reporterColumns, searchTables } from "./AbuseColumns.ts"
import { abuseFilters } from "./AbuseFilters.ts"
import { adminAbuse, type AbuseRow, userAbuse } from "./AbuseJson.ts"

interface Page<Item> {
  readonly total: number
  readonly data: ReadonlyArray<Item>
}

type FoundRow = { readonly total: number } & (AbuseRow | { readonly id: null })

/** The one row of an empty page is none. */
const isAbuse = (row: FoundRow): row is FoundRow & AbuseRow => row.id !== null

const sortColumns = { id: "b.id", createdAt: "b.created_at", state: "b.state" } as const

/** Lists of reports. */
export class AbuseLists extends Context.Service<
  AbuseLists,
  {
    /**
     * All reports, for a moderator's account: without those by accounts that it or the instance mutes.
     *
     * @param exceptOwn leaves out reports about the account's own things
     */
    readonly all: (
      accountId: number,
      exceptOwn: boolean,
      query: AbuseListQuery
    ) => Effect.Effect<Page<AdminAbuse>, DatabaseUnavailable>
    /** The reports of an account. */
    readonly mine: (accountId: number, query: AbuseListQuery) => Effect.Effect<Page<UserAbuse>, DatabaseUnavailable>
  }
>()("@kinora/storage/social/abuse/AbuseLists") {
  static readonly layer = Layer.effect(
    AbuseLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const slow = yield* SlowSql
      const filters = abuseFilters(sql)

      const page = Effect.fnUntraced(function* <Item>(
        conditions: ReadonlyArray<Fragment>,
        query: AbuseListQuery,
        columns: string,
        encode: (row: AbuseRow, actors: ReadonlyMap<number, ActorRow>) => Item
      ) {
        const way = direction(sql, query.sort.descending)
        const order = sql`${sql.literal(sortColumns[query.sort.by])} ${way}, b.id ${way}`
        const from = sql`from abuse b ${sql.literal(searchTables)} where ${sql.and(conditions)}`
        const found = yield* slow<FoundRow>`
          select t.total, x.* from (select count(*)::integer as total ${from}) t left join (
            select p.position, ${sql.literal(columns)} from (
              select b.id, row_number() over (order by ${order}) as position ${from} order by ${order} ${limit(sql, query)}
            ) p join abuse b on b.id = p.id ${sql.literal(abuseTables)}
          ) x on true order by x.position`
        const rows = found.filter(isAbuse)
        const actorIds = rows.flatMap((row) => [row.reporterActorId, row.flaggedActorId, row.channelActorId])
        const actors = yield* actorRows(sql, [...new Set(actorIds.filter((id) => id !== null))])
        const list: Page<Item> = { total: found[0]!.total, data: rows.map((row) => encode(row, actors)) }
        return list
      })

      return AbuseLists.of({
        all: Effect.fn("AbuseLists.all")(function* (accountId, exceptOwn, query) {
          const blockers = blockersOf(sql, accountId)
          const conditions = [
            ...filters(query),
            sql`not exists (select from account_block k
              where k.account_id = any(${blockers}) and k.target_account_id = b.reporter_account_id)`,
            sql`not exists (select from server_block k join actor ba on ba.server_id = k.server_id
              where k.account_id = any(${blockers}) and ba.id = r.actor_id)`,
            ...(exceptOwn ? [sql`b.flagged_account_id is distinct from ${accountId}::integer`] : [])
          ]
          return yield* page(conditions, query, adminColumns, adminAbuse)
        }, withDatabaseErrors),
        mine: Effect.fn("AbuseLists.mine")(function* (accountId, query) {
          const conditions = [sql`b.reporter_account_id = ${accountId}`, ...filters(query)]
          return yield* page(conditions, query, reporterColumns, userAbuse)
        }, withDatabaseErrors)
      })
    })
  )
}
