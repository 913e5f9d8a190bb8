import { NotificationWay, type NotificationSettingKey } from "@kinora/domain/enums/NotificationSetting"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** What users choose of their notifications without being logged in. */
export class NotificationChoices extends Context.Service<
  NotificationChoices,
  {
    /** Ends mails of one kind and nothing else; `usual` are the ways of those who have not chosen. False: no such user. */
    readonly endMails: (
      userId: number,
      setting: NotificationSettingKey,
      usual: number
    ) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/notifications/NotificationChoices") {
  static readonly layer = Layer.effect(
    NotificationChoices,
    Effect.map(SqlClient, (sql) =>
      NotificationChoices.of({
        endMails: Effect.fn("NotificationChoices.endMails")(function* (
          userId: number,
          setting: NotificationSettingKey,
          usual: number
        ) {
          const rows = yield* sql`
            update app_user set notification_settings = notification_settings || jsonb_build_object(${setting}::text,
              coalesce((notification_settings ->> ${setting}::text)::integer, ${usual}::integer)
                & ~${NotificationWay.mail}::integer)
            where id = ${userId} returning id`
          return rows.length > 0
        }, withDatabaseErrors)
      })
    )
  )
}
