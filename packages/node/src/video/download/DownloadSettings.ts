import { Context, Duration } from "effect"

/** Limits of downloads that no operator has to know of. */
export interface DownloadSettingsShape {
  /** Videos put together at the same time for one client, of those that `download.max_generated_videos` allows. */
  readonly muxesOfClient: number
  /** A client that takes fewer bytes a second from a running tool loses it… */
  readonly leastBytesPerSecond: number
  /** …once it fell so far behind. */
  readonly patience: Duration.Duration
  /** What a client is told to wait when every place is taken. */
  readonly retryAfter: Duration.Duration
  /** One client's downloads of a video within this time are one. */
  readonly countedOnce: Duration.Duration
  /** Between two writes of the counts: what a crash loses at most. */
  readonly countsWritten: Duration.Duration
}

export const defaultDownloadSettings: DownloadSettingsShape = {
  muxesOfClient: 3,
  leastBytesPerSecond: 32 * 1024,
  patience: Duration.seconds(20),
  retryAfter: Duration.seconds(10),
  countedOnce: Duration.hours(1),
  countsWritten: Duration.seconds(5)
}

/** Read when the layers of the downloads are built. */
export const DownloadSettings = Context.Reference<DownloadSettingsShape>("@kinora/node/downloads/DownloadSettings", {
  defaultValue: () => defaultDownloadSettings
})
