import { Data, type Cause, type DateTime, type Duration } from "effect"

/** What a task is doing. `failed`: its restarts are used up and the process ends. `stopped`: it was asked to stop. */
export type TaskStatus = "running" | "backing-off" | "failed" | "stopped"

/** The visible state of a long-lived task. */
export interface TaskState {
  readonly name: string
  readonly status: TaskStatus
  /** Restarts since the process started, even if the count for the policy was reset. */
  readonly restarts: number
  /** Why the last run ended, as readable text. Undefined if no run has ended. */
  readonly lastCause: string | undefined
  /** Time of the last change of status. */
  readonly since: DateTime.Utc
}

/** How a task is restarted. */
export interface RestartPolicy {
  /** Delay before the first restart; each further one doubles it. */
  readonly initialDelay: Duration.Duration
  readonly maxDelay: Duration.Duration
  /** Restarts in a row before the task counts as failed. */
  readonly maxRestarts: number
  /** A run of at least this length resets the count of restarts. */
  readonly healthyAfter: Duration.Duration
}

/** How a task is run. */
export interface TaskPolicy extends RestartPolicy {
  /** Whether others do its work as soon as it stops: such tasks are stopped first, all at once. */
  readonly handsOver: boolean
}

/** A task used up its restarts: the process cannot continue. */
export class TaskFailed extends Data.TaggedError("TaskFailed")<{
  readonly task: string
  readonly restarts: number
  readonly cause: Cause.Cause<unknown>
}> {
  override get message(): string {
    return `task ${this.task} cannot live: it died again after ${this.restarts} restarts`
  }
}
