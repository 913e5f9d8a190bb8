import { Schema } from "effect"
import { NullableTimestamp, Timestamp } from "./Scalars.ts"

/** Kinds of viewers' devices (contract: VideoStatsUserAgentDevice). */
export const videoStatsDevices = [
  "console",
  "embedded",
  "mobile",
  "smarttv",
  "tablet",
  "wearable",
  "xr",
  "desktop"
] as const
export type VideoStatsDevice = (typeof videoStatsDevices)[number]

/** Times in seconds. Where viewers are is not known: `countries` and `subdivisions` are empty. */
export const VideoStatsOverall = Schema.Struct({
  averageWatchTime: Schema.Finite,
  totalWatchTime: Schema.Finite,
  totalViewers: Schema.Finite,
  viewersPeak: Schema.Finite,
  viewersPeakDate: NullableTimestamp,
  countries: Schema.Array(Schema.Struct({ isoCode: Schema.String, viewers: Schema.Finite })),
  subdivisions: Schema.Array(Schema.Struct({ name: Schema.String, viewers: Schema.Finite }))
}).annotate({ identifier: "VideoStatsOverall" })
export type VideoStatsOverall = typeof VideoStatsOverall.Type

const NamedViewers = Schema.Array(Schema.Struct({ name: Schema.String, viewers: Schema.Finite }))

/** The commonest programs, devices and systems of viewers, under both names the last one goes by. */
export const VideoStatsUserAgent = Schema.Struct({
  clients: NamedViewers,
  devices: Schema.Array(Schema.Struct({ name: Schema.Literals(videoStatsDevices), viewers: Schema.Finite })),
  operatingSystem: NamedViewers,
  operatingSystems: NamedViewers
}).annotate({ identifier: "VideoStatsUserAgent" })
export type VideoStatsUserAgent = typeof VideoStatsUserAgent.Type

export const VideoStatsRetention = Schema.Struct({
  data: Schema.Array(Schema.Struct({ second: Schema.Finite, retentionPercent: Schema.Finite }))
}).annotate({ identifier: "VideoStatsRetention" })
export type VideoStatsRetention = typeof VideoStatsRetention.Type

export const VideoStatsTimeserie = Schema.Struct({
  groupInterval: Schema.String,
  data: Schema.Array(Schema.Struct({ date: Timestamp, value: Schema.Finite }))
}).annotate({ identifier: "VideoStatsTimeserie" })
export type VideoStatsTimeserie = typeof VideoStatsTimeserie.Type
