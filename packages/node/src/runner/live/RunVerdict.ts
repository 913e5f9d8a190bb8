import { LiveError } from "@kinora/domain/enums/Live"
import { RunnerJobState } from "@kinora/domain/enums/RunnerJobState"
import type { LiveJobState } from "@kinora/storage/runner/LiveRunnerJobs"
import { Context, Duration } from "effect"
import type { LiveEnd } from "../../live/session/LiveEnd.ts"
import { RunLost } from "../../live/session/LiveRuns.ts"

/** How long a run waits for its runner. */
export interface RunTimes {
  /** Until one takes the job. */
  readonly taken: Duration.Duration
  /** Until one that took it reads the stream, for the first time. */
  readonly read: Duration.Duration
  /** The same, when it has read and no longer does. */
  readonly readAgain: Duration.Duration
  /** Until the last segments have come, after the end of the stream. */
  readonly finished: Duration.Duration
}

export const RunTimes = Context.Reference<RunTimes>("@kinora/node/runner/live/RunTimes", {
  defaultValue: () => ({
    taken: Duration.seconds(15),
    read: Duration.seconds(20),
    readAgain: Duration.seconds(5),
    finished: Duration.seconds(30)
  })
})

/** What is known of a run. Times are in milliseconds. */
export interface Seen {
  /** Undefined: the job was deleted. */
  readonly job: LiveJobState | undefined
  /** Since the job was added. */
  readonly age: number
  /** Since the job was taken. */
  readonly takenFor: number
  /** Since anybody read the stream. */
  readonly silentFor: number
  /** Whether anybody has ever read the stream. */
  readonly wasRead: boolean
  /** Since the end of the stream; undefined while it lasts. */
  readonly endedFor: number | undefined
}

/** What becomes of a run. `lose`: its job is ended with these words, whoever holds it. */
export interface Verdict {
  readonly end: "done" | RunLost | LiveEnd
  readonly lose?: string
}

const cancelled: LiveEnd = { error: LiveError.runnerJobCancelled, reason: "The transcoding of the live was cancelled" }

const failed = (message: string): Verdict => ({ end: new RunLost({ why: "failed", message }) })
const lost = (message: string): Verdict => ({ ...failed(message), lose: message })

const whileHeld = ({ endedFor, job, silentFor, takenFor, wasRead }: Seen, times: RunTimes): Verdict | undefined => {
  if (job?.isLate === true) return lost("The runner stopped reporting")
  if (endedFor !== undefined) {
    if (endedFor < Duration.toMillis(times.finished)) return undefined
    return { end: "done", lose: "The runner did not finish after the end of the stream" }
  }
  const allowed = Duration.toMillis(wasRead ? times.readAgain : times.read)
  if (Math.min(silentFor, takenFor) < allowed) return undefined
  return lost(wasRead ? "The runner stopped reading the stream" : "The runner did not read the stream")
}

/** Whether a run goes on: undefined when it does. */
export const verdictOf = (seen: Seen, times: RunTimes): Verdict | undefined => {
  const { age, endedFor, job } = seen
  const isOver = endedFor !== undefined
  if (job === undefined) return { end: cancelled }
  switch (job.state) {
    case RunnerJobState.pending:
      if (isOver) return { end: "done" }
      if (age < Duration.toMillis(times.taken)) return undefined
      return { end: new RunLost({ why: "untaken", message: "no runner took its job, so this node does" }) }
    case RunnerJobState.processing:
    case RunnerJobState.completing:
      return whileHeld(seen, times)
    case RunnerJobState.completed:
      return isOver ? { end: "done" } : failed("The runner ended before the stream")
    case RunnerJobState.errored:
      return isOver ? { end: "done" } : failed(job.error ?? "The runner failed")
    default:
      return { end: cancelled }
  }
}
