import type { NotificationType } from "@kinora/domain/enums/NotificationType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Sort } from "@kinora/domain/requests/Pagination"
import type { NotificationList } from "@kinora/domain/wire/Notification"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import {
  notificationActors,
  notificationColumns,
  notificationJoins,
  notificationJson,
  type NotificationRow,
  notificationSubject
} from "./NotificationJson.ts"
import { isStillVisible } from "./NotificationVisibility.ts"
import { blockersOf, notBlocked } from "../../people/account/OwnerBlocks.ts"

export interface NotificationPage {
  readonly start: number
  readonly count: number
  readonly sort: Sort<"createdAt" | "read">
  readonly unread: boolean | undefined
  readonly types: ReadonlyArray<NotificationType> | undefined
}

type Listed = { readonly total: number } & (NotificationRow | { readonly id: null })

/** The one row of an empty page is none. */
const isNotification = (row: Listed): row is Listed & NotificationRow => row.id !== null

/** Notifications as their users see them. */
export class NotificationLists extends Context.Service<
  NotificationLists,
  {
    /**
     * A page of a user's notifications: nothing of accounts the user or the instance has blocked, nor of videos that the
     * user may not see any more.
     */
    readonly list: (
      user: { readonly userId: number; readonly accountId: number },
      page: NotificationPage
    ) => Effect.Effect<NotificationList, DatabaseUnavailable>
  }
>()("@kinora/storage/social/notification/NotificationLists") {
  static readonly layer = Layer.effect(
    NotificationLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = sql.literal(notificationColumns)
      const joins = sql.literal(notificationJoins)

      const list = Effect.fn("NotificationLists.list")(function* (
        user: { readonly userId: number; readonly accountId: number },
        page: NotificationPage
      ) {
        const blockers = blockersOf(sql, user.accountId)
        const author = "(select a.server_id from account c join actor a on a.id = c.actor_id where c.id = n.account_id)"
        const role = sql`(select role from app_user where id = ${user.userId})`
        const from = sql`
          from user_notification n
          where n.user_id = ${user.userId} and n.web
            ${page.unread === undefined ? sql`` : page.unread ? sql`and not n.read` : sql`and n.read`}
            ${page.types === undefined ? sql`` : sql`and n.type = any(${page.types}::int[])`}
            and ${notBlocked(sql, "n.account_id", author, blockers)}
            and ${isStillVisible(sql, sql`${user.accountId}::integer`, role)}
            and (n.type not in (1, 21) or exists (
              select 1 from video v where v.id = n.video_id and v.visible <> 0
                and ${notBlocked(sql, "v.account_id", "v.server_id", blockers)}
            ))`
        const way = direction(sql, page.sort.descending)
        const order =
          page.sort.by === "read"
            ? sql`n.read ${way}, n.created_at desc, n.id desc`
            : sql`n.created_at ${way}, n.id ${way}`
        const rows = yield* sql<Listed>`
          select t.total, x.* from (select count(*)::integer as total ${from}) t left join (
            select p.position, ${columns} from (
              select n.id, row_number() over (order by ${order}) as position ${from} order by ${order} ${limit(sql, page)}
            ) p join user_notification n on n.id = p.id ${joins}
          ) x on true order by x.position`
        const listed = rows.filter(isNotification)
        const actors = yield* notificationActors(sql, listed)
        const data = listed.map((row) => notificationJson(row, notificationSubject(row, actors)))
        const list: NotificationList = { total: rows[0]!.total, data }
        return list
      }, withDatabaseErrors)

      return NotificationLists.of({ list })
    })
  )
}
