import type { NotificationType } from "@kinora/domain/enums/NotificationType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Notification } from "@kinora/domain/wire/Notification"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
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

/** A notification that is to be mailed. */
export interface MailedNotification {
  readonly id: number
  readonly type: NotificationType
  readonly attempt: number
  readonly userId: number
  readonly username: string
  readonly email: string
  /** What the user has chosen of settings, by name. */
  readonly chosen: Readonly<Record<string, number>>
  readonly notification: Notification
  /** Of a comment, of a report or of a message about one, as it was written; null for all else. */
  readonly quotedText: string | null
  /** False: the user was blocked meanwhile, has an email address that is not verified, or may not see it any more. */
  readonly wanted: boolean
}

type ClaimedRow = NotificationRow & Omit<MailedNotification, "notification">

/** Longer than a mail may take: who took it and died gives it back by then. */
const leaseSeconds = Duration.toSeconds(Duration.minutes(5))
/** With waits of at most an hour, about a day. */
const mostAttempts = 30

/** Mails of notifications, apart from all others: however many there are, a link to set a password does not wait. */
export class NotificationMails extends Context.Service<
  NotificationMails,
  {
    /** Takes the next one for some minutes. */
    readonly claim: Effect.Effect<Option.Option<MailedNotification>, DatabaseUnavailable>
    /** It went out, or is not to. */
    readonly done: (id: number) => Effect.Effect<void, DatabaseUnavailable>
    /** It is tried again with growing waits, in the end not any more. */
    readonly failed: (id: number) => Effect.Effect<void, DatabaseUnavailable>
    /** Gives back what was taken and not tried, as at shutdown. */
    readonly release: (id: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/notifications/NotificationMails") {
  static readonly layer = Layer.effect(
    NotificationMails,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const columns = sql.literal(notificationColumns)
      const joins = sql.literal(notificationJoins)
      const stillVisible = isStillVisible(sql, sql`(select a.id from account a where a.user_id = u.id)`, sql`u.role`)

      const claim = Effect.gen(function* () {
        const rows = yield* sql<ClaimedRow>`
          with taken as (
            update user_notification set mail_at = now() + make_interval(secs => ${leaseSeconds}::float8),
              mail_attempts = mail_attempts + 1
            where id = (
              select id from user_notification where mail_at <= now()
              order by mail_at, id limit 1 for update skip locked
            ) returning *
          )
          select ${columns}, n.mail_attempts as attempt, u.id as "userId", u.username::text as username,
            u.email::text as email, u.notification_settings as chosen, coalesce(
              c.text, (select m.message from abuse_message m where m.id = n.abuse_message_id), case when n.type = 3 then x.reason end
            ) as "quotedText",
            not u.blocked and u.email_verified is not false and ${stillVisible}
              and (n.type not in (1, 21) or exists (select 1 from video v where v.id = n.video_id and v.visible <> 0)) as wanted
          from taken n join app_user u on u.id = n.user_id ${joins}
        `
        const [row] = rows
        if (row === undefined) return Option.none()
        const actors = yield* notificationActors(sql, rows)
        return Option.some<MailedNotification>({
          ...row,
          notification: notificationJson(row, notificationSubject(row, actors))
        })
      }).pipe(withDatabaseErrors)

      const done = Effect.fnUntraced(function* (id: number) {
        yield* sql`update user_notification set mail_at = null where id = ${id}`
      }, withDatabaseErrors)

      const failed = Effect.fnUntraced(function* (id: number) {
        yield* sql`
          update user_notification set mail_at = case when mail_attempts < ${mostAttempts} then
            now() + make_interval(secs => least(3600, 15 * 2 ^ least(mail_attempts, 10))) end
          where id = ${id}`
      }, withDatabaseErrors)

      const release = Effect.fnUntraced(function* (id: number) {
        yield* sql`
          update user_notification set mail_at = now(), mail_attempts = mail_attempts - 1 where id = ${id}`
      }, withDatabaseErrors)

      return NotificationMails.of({ claim, done, failed, release })
    })
  )
}
