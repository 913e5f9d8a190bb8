import { type ChannelActivityAction, ChannelActivityTarget } from "@kinora/domain/enums/ChannelActivity"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type ActivityTargets, recordActivity } from "../../people/collaborator/ChannelActivities.ts"
import { recordVideoActivity } from "../../people/collaborator/VideoActivities.ts"

/** What can be transferred. */
export type OwnedKind = "video" | "channel"

/** A video or a channel of this instance. */
export interface Owned {
  readonly kind: OwnedKind
  readonly id: number
}

/** The column of `ownership_change` for this kind. */
export const itemColumn = (sql: SqlClient, kind: OwnedKind) => sql.literal(kind === "video" ? "video_id" : "channel_id")

type TargetAccount = NonNullable<ActivityTargets["targetAccount"]>

/** Records a step of a transfer in the activity log, with its recipient. */
export const recordOwnership = Effect.fnUntraced(function* (
  sql: SqlClient,
  item: Owned,
  accountId: number,
  action: ChannelActivityAction,
  nextOwnerAccountId: number
) {
  const [targetAccount] = yield* sql<TargetAccount>`
    select a.preferred_username::text as username, c.display_name as "displayName", a.url
    from account c join actor a on a.id = c.actor_id where c.id = ${nextOwnerAccountId}
  `
  if (targetAccount === undefined) return
  yield* item.kind === "video"
    ? recordVideoActivity(sql, { videoId: item.id, accountId, action, targetAccount })
    : recordActivity(sql, {
        channelId: item.id,
        accountId,
        action,
        targetType: ChannelActivityTarget.channel,
        target: { targetAccount }
      })
})
