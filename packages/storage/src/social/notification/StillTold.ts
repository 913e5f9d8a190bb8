import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * Whether a notification `n` may still be told its user, whose account and role these are. Things change after it was made:
 * users are moderators no longer, comments are deleted, and a video somebody was mentioned below is not theirs to see any
 * more. That is told apart as `decide` of VideoVisibility does it.
 */
export const isStillTold = (sql: SqlClient, accountId: Fragment, role: Fragment): Fragment => sql`(
  (n.type not in (3, 9, 12, 20) or ${role} in (0, 1))
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
