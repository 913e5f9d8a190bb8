import { Context, type Duration, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"

export interface SyncSettingsShape {
  /** Whether channels are checked regularly. */
  readonly enabled: boolean
  /** Whether videos may be imported from URLs at all. */
  readonly imports: boolean
  /** Whether channels are checked over IPv4 only. */
  readonly ipv4Only: boolean
  /** Time between two checks of a channel. */
  readonly interval: Duration.Duration
  /** Entries of a listing that are checked for new ones. */
  readonly newest: number
  /** Entries of a listing that are read when all videos are imported. */
  readonly all: number
}

/** How channels are synchronised. What administrators change is read anew each time: take nothing out of it beforehand. */
export class SyncSettings extends Context.Service<SyncSettings, SyncSettingsShape>()(
  "@kinora/node/syncs/SyncSettings"
) {
  static readonly layer = Layer.effect(
    SyncSettings,
    Effect.map(KinoraConfig, ({ import: { video_channel_synchronization: sync, videos } }) => ({
      get enabled() {
        return sync.enabled && videos.http.enabled
      },
      get imports() {
        return videos.http.enabled
      },
      ipv4Only: videos.http.force_ipv4,
      interval: sync.check_interval,
      newest: sync.videos_limit_per_synchronization,
      all: sync.full_sync_videos_limit
    }))
  )
}
