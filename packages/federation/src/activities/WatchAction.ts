import type { JsonObject } from "../vocabulary/Json.ts"

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

/** A WatchAction (contract: WatchAction), of a viewer nobody learns anything about. */
export const watchAction = (watched: Watched): JsonObject => ({
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
