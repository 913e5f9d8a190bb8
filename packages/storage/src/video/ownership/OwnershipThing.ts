import { type ChannelActivityAction, ChannelActivityTarget } from "@kinora/domain/enums/ChannelActivity"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type ActivityTargets, recordActivity } from "../../people/collaborator/ChannelActivities.ts"
import { recordVideoActivity } from "../../people/collaborator/VideoActivities.ts"

/** What changes its owner. */
export type OwnedKind = "video" | "channel"

/** A video or a channel of this instance. */
export interface Owned {
  readonly kind: OwnedKind
  readonly id: number
}

/** The column of `ownership_change` that names things of the kind. */
export const thingColumn = (sql: SqlClient, kind: OwnedKind) =>
  sql.literal(kind === "video" ? "video_id" : "channel_id")

type TargetAccount = NonNullable<ActivityTargets["targetAccount"]>

/** Writes down what happened to the ownership of a thing, naming who it is or was to be given to. */
export const recordOwnership = Effect.fnUntraced(function* (
  sql: SqlClient,
  thing: Owned,
  accountId: number,
  action: ChannelActivityAction,
  nextOwnerAccountId: number
) {
  const [targetAccount] = yield* sql<TargetAccount>`
    select a.preferred_username::text as username, c.display_name as "displayName", a.url
    from account c join actor a on a.id = c.actor_id where c.id = ${nextOwnerAccountId}
  `
  if (targetAccount === undefined) return
  yield* thing.kind === "video"
    ? recordVideoActivity(sql, { videoId: thing.id, accountId, action, targetAccount })
    : recordActivity(sql, {
        channelId: thing.id,
        accountId,
        action,
        targetType: ChannelActivityTarget.channel,
        target: { targetAccount }
      })
})
