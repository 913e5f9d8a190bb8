import type { LiveOutput } from "@kinora/media/live/LivePlan"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import type { MarkedMoment } from "@kinora/storage/live/LiveMarks"
import type { PublishedLive } from "@kinora/storage/live/LiveRows"
import type { RunningSession } from "@kinora/storage/live/LiveSessions"
import type { Deferred, Queue } from "effect"
import type { Incoming } from "./Incoming.ts"
import type { LiveEnd } from "./LiveEnd.ts"
import type { StreamHealth } from "./StreamHealth.ts"

/** A live that is being published through this node. */
export interface RunningLive {
  readonly live: PublishedLive
  readonly arrivals: Queue.Queue<Incoming>
  readonly forced: Deferred.Deferred<LiveEnd>
  /** Milliseconds since 1970; undefined while nobody is connected. */
  connectedAt: number | undefined
  health: StreamHealth
  readonly row: RunningSession
  /** The last run of the encoder, and when it began in milliseconds since 1970. */
  run: { readonly number: number; readonly beganAt: number } | undefined
  /** Nobody takes another connection. */
  closed: boolean
  plan: { readonly info: MediaInfo; readonly outputs: ReadonlyArray<LiveOutput> } | undefined
}

/** A moment of a session, by its place in the recording. */
export interface LiveMoment extends MarkedMoment {
  readonly sessionId: number
  /** Whether there is to be a replay of it. */
  readonly saveReplay: boolean
}
