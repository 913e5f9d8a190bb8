import { NotificationWay } from "@kinora/domain/enums/NotificationSetting"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** A mail to write to users. */
export interface NewMailing {
  readonly subject: string
  readonly body: string
  readonly author: string | null
  readonly userIds: ReadonlyArray<number> | null
  readonly role: number | null
}

/** A user who is due to get a mail. */
export interface MailingRecipient {
  readonly id: number
  readonly username: string
  readonly email: string
}

/** The mailing that is due, and whom it is for next. */
export interface DueMailing {
  readonly id: number
  readonly subject: string
  readonly body: string
  /** To users that were named: it is about them, and cannot be unsubscribed from. */
  readonly toNamed: boolean
  readonly recipients: ReadonlyArray<MailingRecipient>
}

const [sending, sent, cancelled] = [1, 2, 3]

/** Mails that administrators write to users. Calls take part in the caller's transaction. */
export class MailingRows extends Context.Service<
  MailingRows,
  {
    /** Gives its row id. */
    readonly add: (mailing: NewMailing) => Effect.Effect<number, DatabaseUnavailable>
    /** What became of it: `ended` it was sent or cancelled before. */
    readonly cancel: (id: number) => Effect.Effect<"cancelled" | "ended" | "missing", DatabaseUnavailable>
    /**
     * The mailing that is due with the next `most` users who have not got it, locked; it is due again after this many seconds.
     * Without users left it is sent. Users are left out who are blocked, whose address is not verified, or who unsubscribed,
     * unless they were named.
     */
    readonly take: (most: number, pauseSeconds: number) => Effect.Effect<Option.Option<DueMailing>, DatabaseUnavailable>
  }
>()("@kinora/storage/instance/mailing/MailingRows") {
  static readonly layer = Layer.effect(
    MailingRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const add = Effect.fn("MailingRows.add")(function* ({ author, body, role, subject, userIds }: NewMailing) {
        const [row] = yield* sql<{ id: number }>`
          insert into mailing (subject, body, author, user_ids, role)
          values (${subject}, ${body}, ${author}, ${userIds}::integer[], ${role}::smallint) returning id`
        return row!.id
      }, withDatabaseErrors)

      const cancel = Effect.fn("MailingRows.cancel")(function* (id: number) {
        const rows = yield* sql<{ state: number }>`select state from mailing where id = ${id} for update`
        if (rows[0] === undefined) return "missing"
        if (rows[0].state !== sending) return "ended"
        yield* sql`update mailing set state = ${cancelled}, finished_at = now() where id = ${id}`
        return "cancelled"
      }, withDatabaseErrors)

      const take = Effect.fn("MailingRows.take")(function* (most: number, pauseSeconds: number) {
        const [due] = yield* sql<{
          id: number
          subject: string
          body: string
          userIds: ReadonlyArray<number> | null
          role: number | null
          lastUserId: number
        }>`
          select id, subject, body, user_ids as "userIds", role, last_user_id as "lastUserId" from mailing
          where state = ${sending} and next_at <= now() order by next_at, id limit 1 for update skip locked`
        if (due === undefined) return Option.none()
        const { body, id, lastUserId, role, subject, userIds } = due
        const wants = sql`
          coalesce((notification_settings ->> 'announcement')::integer, ${NotificationWay.mail}::integer)
            & ${NotificationWay.mail}::integer <> 0 and not blocked and email_verified is distinct from false`
        const recipients = yield* sql<MailingRecipient>`
          select id, username::text as username, email::text as email from app_user
          where id > ${lastUserId} and (${role}::smallint is null or role = ${role}::smallint)
            and case when ${userIds}::integer[] is null then ${wants} else id = any(${userIds}::integer[]) end
          order by id limit ${most}`
        const last = recipients.at(-1)
        yield* sql`
          update mailing set queued = queued + ${recipients.length}, last_user_id = ${last?.id ?? lastUserId},
            next_at = now() + ${pauseSeconds} * interval '1 second',
            state = case when ${recipients.length < most} then ${sent}::smallint else state end,
            finished_at = case when ${recipients.length < most} then now() end
          where id = ${id}`
        return Option.some({ id, subject, body, toNamed: userIds !== null, recipients })
      }, withDatabaseErrors)

      return MailingRows.of({ add, cancel, take })
    })
  )
}
