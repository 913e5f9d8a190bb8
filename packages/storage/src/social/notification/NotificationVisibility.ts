import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * SQL of whether the user of a notification `n`, whose account and role these are, may still see it. Things change after it
 * was made: users are moderators no longer, comments are deleted, and a video below which somebody was mentioned is hidden
 * from them. The rule about videos is that of `decide` (VideoVisibility).
 */
export const isStillVisible = (sql: SqlClient, accountId: Fragment, role: Fragment): Fragment => sql`(
  (n.type not in (3, 9, 12, 20) or ${role} in (0, 1))
  and (n.type <> 16 or ${role} in (0, 1) or exists (
    select 1 from abuse r where r.id = n.abuse_id and r.reporter_account_id = ${accountId}
  ))
  and (n.comment_id is null or exists (
    select 1 from video_comment d where d.id = n.comment_id and d.deleted_at is null
  ))
  and (n.type <> 11 or ${role} in (0, 1) or exists (
    select 1 from video v where v.id = n.video_id and (
      v.account_id = ${accountId}
      or exists (
        select 1 from video_channel_collaborator k
        where k.channel_id = v.channel_id and k.account_id = ${accountId} and k.state = 2
      )
      or (v.state in (1, 4, 5) and v.privacy <> 3 and not exists (
        select 1 from video_blacklist b where b.video_id = v.id
      ))
    )
  ))
)`
