import { labelled } from "@kinora/domain/enums/Labelled"
import { videoChannelSyncStateLabels } from "@kinora/domain/enums/VideoChannelSyncState"
import { type Json, toJson } from "@kinora/domain/wire/Json"
import type { VideoChannelSync } from "@kinora/domain/wire/VideoChannelAnswers"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { actorRows, channelOf } from "../../people/actor/ActorTexts.ts"

/** A synchronisation as its row has it. Times are ISO 8601. */
export interface SyncRow {
  readonly id: number
  readonly actorId: number
  readonly state: number
  readonly externalChannelUrl: string
  readonly createdAt: string
  readonly lastSyncAt: string | null
  readonly videoPrivacy: number
}

/** Columns of `SyncRow`, of a row `s` of `video_channel_sync` and its channel `c`. */
export const syncColumns = (sql: SqlClient) => sql`
  s.id, c.actor_id as "actorId", s.state, s.external_channel_url as "externalChannelUrl",
  wire_time(s.created_at) as "createdAt", wire_time(s.last_sync_at) as "lastSyncAt", s.video_privacy as "videoPrivacy"`

/** JSON text of each row (contract: VideoChannelSync); undefined where the channel is gone meanwhile. */
export const syncTexts = (sql: SqlClient, rows: ReadonlyArray<SyncRow>) =>
  Effect.map(
    actorRows(
      sql,
      rows.map(({ actorId }) => actorId)
    ),
    (actors) =>
      rows.map((row): Json<VideoChannelSync> | undefined => {
        const channel = channelOf(actors, row.actorId)
        if (channel === undefined) return undefined
        return toJson({
          id: row.id,
          state: labelled(row.state, videoChannelSyncStateLabels),
          externalChannelUrl: row.externalChannelUrl,
          createdAt: row.createdAt,
          lastSyncAt: row.lastSyncAt,
          channel,
          videoPrivacy: row.videoPrivacy
        } satisfies typeof VideoChannelSync.Encoded)
      })
  )
