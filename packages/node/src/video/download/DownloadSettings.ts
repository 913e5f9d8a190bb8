import { Context, Duration } from "effect"

/** Download limits that operators do not need to configure. */
export interface DownloadSettingsShape {
  /** Videos muxed at the same time for one client, out of `download.max_generated_videos`. */
  readonly muxesOfClient: number
  /** A client that reads fewer bytes per second from a running mux is disconnected… */
  readonly minBytesPerSecond: number
  /** …once it is this far behind. */
  readonly stallLimit: Duration.Duration
  /** The `Retry-After` when every slot is taken. */
  readonly retryAfter: Duration.Duration
  /** The largest file of another instance that is brought for a download, in bytes… */
  readonly fetchedBytes: number
  /** …and the time it may take. */
  readonly fetchedWithin: Duration.Duration
  /** Bytes of the disk that stay free. */
  readonly reserveDisk: number
  /** Downloads of a video by one client within this time count once. */
  readonly countedOnce: Duration.Duration
  /** Time between two writes of the counts: the most that a crash can lose. */
  readonly countsWritten: Duration.Duration
}

export const defaultDownloadSettings: DownloadSettingsShape = {
  muxesOfClient: 3,
  minBytesPerSecond: 32 * 1024,
  stallLimit: Duration.seconds(20),
  retryAfter: Duration.seconds(10),
  fetchedBytes: 4 * 1024 ** 3,
  fetchedWithin: Duration.minutes(10),
  reserveDisk: 1024 ** 3,
  countedOnce: Duration.hours(1),
  countsWritten: Duration.seconds(5)
}

/** Read when the download layers are built. */
export const DownloadSettings = Context.Reference<DownloadSettingsShape>("@kinora/node/downloads/DownloadSettings", {
  defaultValue: () => defaultDownloadSettings
})
