import { videoChannelSyncStateLabels } from "@kinora/domain/enums/VideoChannelSyncState"
import type { SqlClient } from "effect/sql/SqlClient"

const labels = JSON.stringify(videoChannelSyncStateLabels)

/**
 * A row `p` of `video_channel_sync` with the `actor_id` of its channel, as JSON text (contract: VideoChannelSync).
 */
export const syncItem = (sql: SqlClient) => sql`(
  select row_to_json(x)::text from (
    select p.id, json_build_object('id', p.state, 'label', ${labels}::text::json ->> p.state::text) as state,
      p.external_channel_url as "externalChannelUrl", wire_time(p.created_at) as "createdAt",
      wire_time(p.last_sync_at) as "lastSyncAt",
      coalesce((select w.wire from actor_wire w where w.actor_id = p.actor_id), wire_channel(p.channel_id))::json
        as channel,
      p.video_privacy as "videoPrivacy"
  ) x
)`
