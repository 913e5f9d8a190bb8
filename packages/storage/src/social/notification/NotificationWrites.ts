import { type NotificationSettingKey, NotificationWay } from "@kinora/domain/enums/NotificationSetting"
import { type NotificationType, settingOfType } from "@kinora/domain/enums/NotificationType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { type Recipients, selectRecipients } from "./Recipients.ts"

/** Columns of `user_notification` that say what it is about. */
export type NotificationSubject = Partial<
  Record<
    | "video_id"
    | "comment_id"
    | "import_id"
    | "blacklist_id"
    | "follow_id"
    | "registration_id"
    | "collaborator_id"
    | "ownership_change_id"
    | "abuse_id"
    | "abuse_message_id",
    number | null
  >
>

/** One notification for any number of users. */
export interface NotificationDraft {
  readonly type: NotificationType
  /** The account that did it; null: nobody whom a user could block. */
  readonly by: number | null
  readonly subject: NotificationSubject
  readonly recipients: Recipients
}

/** How users are notified. */
export interface NotificationWays {
  /** Bits of `NotificationWay` of those who have not chosen, by setting. */
  readonly defaults: Readonly<Record<NotificationSettingKey, number>>
  /** Whether the instance sends mail: without, nobody is notified that way. */
  readonly mails: boolean
}

const channel = "notification"

interface Made {
  readonly first: number | null
  readonly last: number | null
  readonly mailed: boolean | null
}

/** Writes notifications. */
export class NotificationWrites extends Context.Service<
  NotificationWrites,
  {
    /**
     * Writes a row for each recipient who wants it, in the caller's transaction. Whoever has muted the account that did it,
     * or is blocked themselves, gets none; of a comment nobody gets two. Nodes are woken when it commits.
     */
    readonly write: (
      eventId: string,
      draft: NotificationDraft,
      ways: NotificationWays
    ) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/notifications/NotificationWrites") {
  static readonly layer = Layer.effect(
    NotificationWrites,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { mail, web } = NotificationWay

      const write = Effect.fnUntraced(function* (
        eventId: string,
        { by, recipients, subject, type }: NotificationDraft,
        { defaults, mails }: NotificationWays
      ) {
        const key = settingOfType[type]
        const every = mails ? mail | web : web
        const ways =
          key === null
            ? sql`${every}::integer`
            : sql`(coalesce((u.notification_settings ->> ${key})::integer, ${defaults[key]}::integer) & ${every}::integer)`
        // Of many recipients: the account is read off the video, and costs no column of each row.
        const writtenBy = recipients._tag === "Followers" ? null : by
        const rows = yield* sql<Made>`
          with muting as materialized (
            select b.account_id from account_block b where b.target_account_id = ${by}::integer
            union
            select b.account_id from account c join actor a on a.id = c.actor_id join server_block b on b.server_id = a.server_id
            where c.id = ${by}::integer
          ), notified as (
            select t.id as user_id, w.ways, w.ways & ${mail}::integer <> 0 and u.email_verified is not false as mailed
            from (${selectRecipients(sql, recipients)}) t join app_user u on u.id = t.id join account m on m.user_id = u.id,
              lateral (select ${ways} as ways offset 0) w
            where not u.blocked and w.ways <> 0 and not exists (
              select 1 from muting b where b.account_id = m.id or b.account_id in (
                select c.id from account c join actor a on a.id = c.actor_id where a.server_id is null and a.type = 'Application'
              )
            )
          ), made as (
            insert into user_notification (user_id, type, web, mail_at, event_id, account_id, video_id, comment_id, import_id,
              blacklist_id, follow_id, registration_id, collaborator_id, ownership_change_id, abuse_id,
              abuse_message_id)
            select user_id, ${type}::smallint, ways & ${web}::integer <> 0, case when mailed then now() end, ${eventId}::bigint,
              ${writtenBy}::integer, ${subject.video_id ?? null}::integer, ${subject.comment_id ?? null}::integer,
              ${subject.import_id ?? null}::integer, ${subject.blacklist_id ?? null}::integer,
              ${subject.follow_id ?? null}::integer, ${subject.registration_id ?? null}::integer,
              ${subject.collaborator_id ?? null}::integer, ${subject.ownership_change_id ?? null}::integer,
              ${subject.abuse_id ?? null}::integer, ${subject.abuse_message_id ?? null}::integer
            from notified where ways & ${web}::integer <> 0 or mailed
            on conflict (comment_id, user_id) where comment_id is not null do nothing
            returning id, mail_at
          )
          select min(id) as first, max(id) as last, bool_or(mail_at is not null) as mailed from made`
        const { first, last, mailed } = rows[0]!
        if (first === null) return
        // Sent when this is committed: nodes push what is there by then.
        yield* sql`select pg_notify(${channel}, ${`made ${eventId} ${first} ${last}`})`
        if (mailed === true) yield* sql`select pg_notify(${channel}, 'mail')`
      })

      return NotificationWrites.of({ write: (...given) => withDatabaseErrors(write(...given)) })
    })
  )
}
