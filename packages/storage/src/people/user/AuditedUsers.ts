import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** What the audit log says of users. */
export class AuditedUsers extends Context.Service<
  AuditedUsers,
  {
    /**
     * Takes names and values out of the entries about a user, their channels and videos, in the caller's transaction and before
     * these are deleted. Who did what, when, and to which id stays.
     */
    readonly forget: (userId: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/people/user/AuditedUsers") {
  static readonly layer = Layer.effect(
    AuditedUsers,
    Effect.map(SqlClient, (sql) =>
      AuditedUsers.of({
        forget: Effect.fn("AuditedUsers.forget")(function* (userId: number) {
          yield* sql`
            with leaving as (
              select u.id, u.username::text as username, o.id as account_id
              from app_user u join account o on o.user_id = u.id where u.id = ${userId}
            )
            update audit_entry e set before = null, after = null, target = (
              select jsonb_object_agg(t.key, t.value) from jsonb_each(e.target) t
              where jsonb_typeof(t.value) = 'number' or t.key = 'uuid'
            )
            from leaving l
            where e.target ->> 'userId' = l.id::text or lower(e.target ->> 'username') = lower(l.username)
              or lower(e.target ->> 'account') = lower(l.username)
              or e.target ->> 'videoId' in (select id::text from video where account_id = l.account_id)
              or e.target ->> 'channelId' in (select id::text from video_channel where account_id = l.account_id)`
        }, withDatabaseErrors)
      })
    )
  )
}
