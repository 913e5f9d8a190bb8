import { Schema } from "effect"

/** What somebody watched of a video. Times are ISO 8601. */
export interface Watched {
  readonly id: string
  readonly uuid: string
  readonly videoUrl: string
  readonly startedAt: string
  readonly endedAt: string
  readonly seconds: number
  /** Seconds from the start of the video, the last of each included. */
  readonly sections: ReadonlyArray<readonly [from: number, to: number]>
}

/** What a viewer, of whom nothing else is said, watched of a video (contract: WatchAction). */
export const WatchActionDocument = Schema.Struct({
  type: Schema.Literal("WatchAction"),
  id: Schema.String,
  uuid: Schema.String,
  object: Schema.String,
  startTime: Schema.String,
  endTime: Schema.String,
  duration: Schema.String,
  actionStatus: Schema.Literal("CompletedActionStatus"),
  watchSections: Schema.Array(Schema.Struct({ startTimestamp: Schema.Finite, endTimestamp: Schema.Finite }))
})
export type WatchActionDocument = typeof WatchActionDocument.Type

/** The object that says what was watched. */
export const watchAction = (watched: Watched): WatchActionDocument => ({
  type: "WatchAction",
  id: watched.id,
  uuid: watched.uuid,
  object: watched.videoUrl,
  startTime: watched.startedAt,
  endTime: watched.endedAt,
  duration: `PT${watched.seconds}S`,
  actionStatus: "CompletedActionStatus",
  watchSections: watched.sections.map(([from, to]) => ({ startTimestamp: from, endTimestamp: to }))
})
