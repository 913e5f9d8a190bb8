import type { LiveMade } from "@kinora/media/live/Fragmenting"
import type { LiveWork } from "@kinora/media/live/LiveArguments"
import { type Cause, Context, Data, type Effect, type Scope } from "effect"
import type { LiveEnd } from "./LiveEnd.ts"
import type { StreamRelay } from "./StreamRelay.ts"

/** A run ended before the stream did. Another one may go on. */
export class RunLost extends Data.TaggedError("RunLost")<{
  /** `untaken`: nobody began to work. */
  readonly why: "failed" | "untaken"
  readonly message: string
}> {}

/** What is packaged, from one publisher's connection. */
export interface RunWork extends LiveWork {
  readonly video: { readonly id: number; readonly uuid: string }
  /** Names the session in all of its files. */
  readonly token: string
  readonly relay: StreamRelay
  /** Runs of this connection that were lost lately. */
  readonly lost: ReadonlyArray<RunLost>
}

/** A stream that is being cut into segments. */
export interface LiveRun {
  /** The next segment or part, in the order of each version. Fails with `Done` after the last one. */
  readonly next: Effect.Effect<LiveMade, LiveEnd | RunLost | Cause.Done>
}

/** Starts a run. Its work ends when the scope closes. Fails when the session has to end. */
export type StartRun = (work: RunWork) => Effect.Effect<LiveRun, LiveEnd, Scope.Scope>

/** Who makes the versions of lives: this node, or others. */
export class LiveRuns extends Context.Service<LiveRuns, { readonly start: StartRun }>()(
  "@kinora/node/live/session/LiveRuns"
) {}
