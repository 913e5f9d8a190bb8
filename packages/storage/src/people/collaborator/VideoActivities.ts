import { type ChannelActivityAction, ChannelActivityTarget } from "@kinora/domain/enums/ChannelActivity"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { actingAccount, type ActivityTargets } from "./ChannelActivities.ts"

/** An activity on a video. */
export interface NewVideoActivity {
  readonly videoId: number
  /** The acting account; null for automatic changes. */
  readonly accountId: number | null
  readonly action: ChannelActivityAction
  readonly targetAccount?: ActivityTargets["targetAccount"]
}

/**
 * Records an activity on a local video in the log of its present channel, in the caller's transaction. Must be called
 * before the video is deleted.
 */
export const recordVideoActivity = (sql: SqlClient, activity: NewVideoActivity) => {
  const more = activity.targetAccount === undefined ? {} : { targetAccount: activity.targetAccount }
  return Effect.asVoid(sql`
    insert into channel_activity (channel_id, account_id, action, target_type, target)
    select v.channel_id, ${actingAccount(sql, activity.accountId)}, ${activity.action}::smallint,
      ${ChannelActivityTarget.video}::smallint,
      jsonb_build_object('video', jsonb_build_object(
        'id', v.id, 'name', v.name, 'uuid', v.uuid, 'url', v.url, 'isLive', v.is_live
      )) || ${JSON.stringify(more)}::text::jsonb
    from video v where v.id = ${activity.videoId} and not v.remote
  `)
}

/**
 * Locks account and channel of a video until the caller's transaction ends. Owners are always locked before their
 * things, in the order in which users and channels are removed: when a transaction changes a row twice, its references
 * are checked again, and it would wait for an owner that waits for the row.
 */
export const holdOwnersOf = Effect.fnUntraced(function* (sql: SqlClient, videoId: number) {
  yield* sql`select 1 from account where id = (select account_id from video where id = ${videoId}) for key share`
  yield* sql`select 1 from video_channel where id = (select channel_id from video where id = ${videoId}) for key share`
})
