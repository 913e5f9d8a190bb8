import { Data, type Cause, type DateTime, type Duration } from "effect"

/** What a task is doing. `failed`: its budget is spent and the process ends; `stopped`: it was told to stop. */
export type TaskStatus = "running" | "backing-off" | "failed" | "stopped"

/** The visible state of a long-lived task. */
export interface TaskState {
  readonly name: string
  readonly status: TaskStatus
  /** Restarts since the process began, whether or not the budget was reset in between. */
  readonly restarts: number
  /** Why the last run ended, readable; empty while no run ended. */
  readonly lastCause: string | undefined
  /** Since when it has this status. */
  readonly since: DateTime.Utc
}

/** How a task is restarted. */
export interface RestartPolicy {
  /** Delay before the first restart; each further one doubles it. */
  readonly initialDelay: Duration.Duration
  readonly maxDelay: Duration.Duration
  /** Restarts in a row before the task counts as unable to live. */
  readonly maxRestarts: number
  /** A run of at least this length gives the whole budget back. */
  readonly healthyAfter: Duration.Duration
}

/** A task used up its restarts: the process cannot go on. */
export class TaskFailed extends Data.TaggedError("TaskFailed")<{
  readonly task: string
  readonly restarts: number
  readonly cause: Cause.Cause<unknown>
}> {
  override get message(): string {
    return `task ${this.task} cannot live: it died again after ${this.restarts} restarts`
  }
}
