import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Bytes of a signed text that is kept: it goes to every follower, so no longer one does than a comment may be. */
const longestSigned = 65_536

/**
 * Keeps activities of others with the marks that the caller's transaction has made of the comments they bring, change or
 * delete: the inbox forgets an activity once it is applied. The Create or Update of a comment is found by its address, since
 * its row may be written before its activity is done with, in a transaction of its own.
 */
export const receivedActivities = (sql: SqlClient) => {
  /**
   * Its text is kept as it came where its own actor has signed it, since others believe no other, and where channels announce
   * what is said below their videos.
   */
  const kept = sql`
    jsonb_build_object('uri', i.uri, 'type', i.type, 'object', i.object,
      'signed', case when octet_length(i.body ->> '@original') <= ${sql.literal(String(longestSigned))}
        and split_part(i.body #>> '{signature,creator}', '#', 1) = i.actor_url then i.body ->> '@original' end,
      'text', case when announces_conversations() then coalesce(i.body ->> '@original', i.body::text) end)`

  // As the partial indexes of inbox_activity have it. Without the inner "offset 0" the planner might walk all activities by id.
  const brings = (type: "Create" | "Update"): Fragment => sql`
    lateral (
      select ${kept} as received from (
        select * from inbox_activity i
        where i.state = 'waiting' and i.type = ${sql.literal(`'${type}'`)} and i.body -> 'object' ->> 'type' = 'Note'
          and md5(i.object) = md5(c.url) and i.object = c.url and i.host = s.host offset 0
      ) i
      order by i.id limit 1
    ) r`

  const marks = sql`o.kind = 'comment' and o.by_id = 0 and o.xact = pg_current_xact_id()`

  const keepWith = (type: "Create" | "Update", commentIds: ReadonlyArray<number>) => sql`
    update outbox_change m set details = coalesce(m.details, '{}') || jsonb_build_object('received', n.received)
    from (
      select o.id, r.received
      from outbox_change o join video_comment c on c.id = o.thing_id join server s on s.id = c.server_id, ${brings(type)}
      where ${marks} and o.thing_id = any(${commentIds}::integer[])
    ) n where m.id = n.id`

  return {
    /** With comments that are new. */
    created: (commentIds: ReadonlyArray<number>) => keepWith("Create", commentIds),
    /** With one whose text has changed. */
    updated: (commentId: number) => keepWith("Update", [commentId]),
    /** With one that the activity deletes which the transaction applies, if it applies one. */
    deleted: (commentId: number) => sql`
      update outbox_change o set details = coalesce(o.details, '{}') || jsonb_build_object('received', ${kept})
      from inbox_activity i
      where ${marks} and o.thing_id = ${commentId}
        and i.id = nullif(current_setting('kinora.applying', true), '')::bigint and i.state = 'waiting'`,
    /** Marks one that is not new to be sent on, if the Create is there that has brought it again. */
    repeated: (commentId: number) => sql`
      select mark_change('comment', c.id, jsonb_build_object(
        'received', r.received, 'after', '{"state": "repeated", "held": false}'::jsonb
      ))
      from video_comment c join server s on s.id = c.server_id, ${brings("Create")} where c.id = ${commentId}`
  }
}
