import { Schema } from "effect"
import { Page, Timestamp } from "./Scalars.ts"

const ReplaySettings = Schema.Struct({ privacy: Schema.Int })

/**
 * A live as who works on it and who watches it read it (contract: LiveVideoResponse). The addresses and the key are there
 * for those who may publish alone. `dvrWindow` is in seconds. `whipUrl`, for publishers by WebRTC, is ours.
 */
export const LiveVideo = Schema.Struct({
  rtmpUrl: Schema.optionalKey(Schema.NullOr(Schema.String)),
  rtmpsUrl: Schema.optionalKey(Schema.NullOr(Schema.String)),
  whipUrl: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Not of the contract: the whole address of SRT, with the key. */
  srtUrl: Schema.optionalKey(Schema.NullOr(Schema.String)),
  streamKey: Schema.optionalKey(Schema.String),
  saveReplay: Schema.Boolean,
  replaySettings: Schema.optionalKey(ReplaySettings),
  permanentLive: Schema.Boolean,
  latencyMode: Schema.Int,
  dvrWindow: Schema.Int,
  schedules: Schema.Array(Schema.Struct({ startAt: Timestamp }))
}).annotate({ identifier: "LiveVideo" })
export type LiveVideo = typeof LiveVideo.Type

/** A stretch in which a live was published (contract: LiveVideoSessionResponse). */
export const LiveSession = Schema.Struct({
  id: Schema.Int,
  startDate: Timestamp,
  endDate: Schema.NullOr(Timestamp),
  error: Schema.NullOr(Schema.Int),
  saveReplay: Schema.Boolean,
  endingProcessed: Schema.Boolean,
  replaySettings: Schema.optionalKey(ReplaySettings),
  replayVideo: Schema.NullOr(Schema.Struct({ id: Schema.Int, uuid: Schema.String, shortUUID: Schema.String }))
}).annotate({ identifier: "LiveSession" })
export type LiveSession = typeof LiveSession.Type

export const LiveSessionList = Page(LiveSession)
export type LiveSessionList = typeof LiveSessionList.Type
