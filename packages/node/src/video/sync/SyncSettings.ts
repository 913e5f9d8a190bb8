import { Context, type Duration, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"

export interface SyncSettingsShape {
  /** Whether channels are looked into again and again. */
  readonly enabled: boolean
  /** Whether videos may be imported from addresses at all. */
  readonly imports: boolean
  /** Whether channels are looked into over IPv4 alone. */
  readonly ipv4Only: boolean
  /** Between two looks into one channel. */
  readonly interval: Duration.Duration
  /** Entries of a list that are looked at for new ones. */
  readonly newest: number
  /** Entries of a list that are taken when everything is. */
  readonly all: number
}

/** How channels are synchronised. */
export class SyncSettings extends Context.Service<SyncSettings, SyncSettingsShape>()(
  "@kinora/node/syncs/SyncSettings"
) {
  static readonly layer = Layer.effect(
    SyncSettings,
    Effect.map(KinoraConfig, ({ import: { video_channel_synchronization: sync, videos } }) => ({
      enabled: sync.enabled && videos.http.enabled,
      imports: videos.http.enabled,
      ipv4Only: videos.http.force_ipv4,
      interval: sync.check_interval,
      newest: sync.videos_limit_per_synchronization,
      all: sync.full_sync_videos_limit
    }))
  )
}
