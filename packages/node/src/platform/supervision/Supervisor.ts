import {
  Cause,
  Clock,
  Context,
  DateTime,
  Deferred,
  Duration,
  Effect,
  Exit,
  Fiber,
  FiberMap,
  Layer,
  Metric,
  Option,
  type Scope
} from "effect"
import { type RestartPolicy, TaskFailed, type TaskPolicy, type TaskState, type TaskStatus } from "./TaskState.ts"

/** Five restarts in a row, 1 s to 30 s apart. After a minute of running the count is reset. */
const defaultPolicy: TaskPolicy = {
  handsOver: false,
  initialDelay: Duration.seconds(1),
  maxDelay: Duration.seconds(30),
  maxRestarts: 5,
  healthyAfter: Duration.minutes(1)
}

const restartsMetric = Metric.counter("kinora_task_restarts_total", {
  description: "Restarts of each supervised task",
  incremental: true
})
const upMetric = Metric.gauge("kinora_task_up", { description: "Whether each supervised task is running" })

/** Time limit for all tasks together to stop. */
export const StopLimit = Context.Reference<Duration.Duration>("@kinora/node/supervision/StopLimit", {
  defaultValue: () => Duration.seconds(10)
})

/** Time limit for what is done before the first task stops. */
const leaveLimit = Duration.seconds(2)

/** Minimum time for a task if those before it used up the limit. */
const minStopLimit = Duration.millis(100)

/** `initialDelay * 2^(nth - 1)`, at most `maxDelay`; `nth` counts from 1. */
const delayBefore = (policy: RestartPolicy, nth: number): Duration.Duration =>
  Duration.min(Duration.times(policy.initialDelay, 2 ** Math.min(nth - 1, 30)), policy.maxDelay)

const make = Effect.gen(function* () {
  const stopLimit = yield* StopLimit
  const fibers = yield* FiberMap.make<string, never, never>()
  const failure = yield* Deferred.make<never, TaskFailed>()
  const tasks = new Map<string, TaskState>()
  const handingOver = new Set<string>()
  const offered = new Map<string, Effect.Effect<unknown, unknown>>()
  const leaving = new Set<Effect.Effect<void>>()

  const change = Effect.fnUntraced(function* (name: string, status: TaskStatus, more: Partial<TaskState> = {}) {
    const state = tasks.get(name)
    if (state === undefined) return
    tasks.set(name, { ...state, ...more, status, since: yield* DateTime.now })
    yield* Metric.update(Metric.withAttributes(upMetric, { task: name }), status === "running" ? 1 : 0)
  })

  const supervise = Effect.fnUntraced(function* <E, R>(
    name: string,
    task: Effect.Effect<never, E, R>,
    policy: RestartPolicy
  ) {
    let inARow = 0
    let restarts = 0
    while (true) {
      yield* change(name, "running", { restarts })
      // A separate fiber: if the task is interrupted from inside, that counts as a failure and not as a request to
      // stop.
      const fiber = yield* Effect.forkChild(task)
      const [lived, exit] = yield* Effect.timed(Fiber.await(fiber))
      const cause: Cause.Cause<unknown> = Exit.isFailure(exit) ? exit.cause : Cause.die("it ended, but must run on")
      if (Duration.isGreaterThanOrEqualTo(lived, policy.healthyAfter)) inARow = 0
      const lastCause = Cause.pretty(cause)
      if (inARow >= policy.maxRestarts) {
        yield* change(name, "failed", { lastCause })
        yield* Effect.logFatal(`task ${name} cannot live, the process ends`, cause)
        yield* Deferred.fail(failure, new TaskFailed({ task: name, restarts: inARow, cause }))
        return yield* Effect.never
      }
      inARow += 1
      restarts += 1
      const delay = delayBefore(policy, inARow)
      yield* change(name, "backing-off", { lastCause })
      yield* Effect.logError(
        `task ${name} died, restart ${inARow} of ${policy.maxRestarts} in ${Duration.format(delay)}`,
        cause
      )
      yield* Metric.update(Metric.withAttributes(restartsMetric, { task: name }), 1)
      yield* Effect.sleep(delay)
    }
  })

  /** Interrupts one task and waits for its finalizers, at most for the limit. */
  const stopTask = Effect.fnUntraced(function* (name: string, limit: Duration.Duration) {
    if (tasks.get(name)?.status === "stopped") return
    const stopped = yield* FiberMap.remove(fibers, name).pipe(Effect.interruptible, Effect.timeoutOption(limit))
    if (Option.isNone(stopped)) yield* Effect.logError(`task ${name} did not stop in ${Duration.format(limit)}`)
    yield* change(name, "stopped")
  })

  const run = Effect.fn("Supervisor.run")(function* <E, R>(
    name: string,
    task: Effect.Effect<never, E, R>,
    policy?: Partial<TaskPolicy>
  ): Effect.fn.Return<void, never, Exclude<R, Scope.Scope> | Scope.Scope> {
    const known = tasks.get(name)
    if (known !== undefined && known.status !== "stopped") {
      return yield* Effect.die(`a task named ${name} is already supervised`)
    }
    const since = yield* DateTime.now
    // Deleted first, so that a reused name counts as started last.
    tasks.delete(name)
    tasks.set(name, { name, status: "running", restarts: 0, lastCause: undefined, since })
    if (policy?.handsOver === true) handingOver.add(name)
    else handingOver.delete(name)
    const supervised = supervise(name, Effect.scoped(task), { ...defaultPolicy, ...policy })
    yield* FiberMap.run(fibers, name, Effect.annotateLogs(supervised, { task: name }))
    yield* Effect.addFinalizer(() => stopTask(name, stopLimit))
  })

  const stop = Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    const stopInTime = Effect.fnUntraced(function* (name: string) {
      const spent = Duration.millis((yield* Clock.currentTimeMillis) - began)
      yield* stopTask(name, Duration.max(Duration.subtract(stopLimit, spent), minStopLimit))
    })
    const last = [...tasks.keys()].reverse()
    const first = last.filter((name) => handingOver.has(name)).map(stopInTime)
    const leave = Effect.forEach(leaving, (one) => Effect.timeoutOption(one, leaveLimit), { discard: true })
    yield* Effect.all([leave, ...first], { concurrency: "unbounded", discard: true })
    yield* Effect.forEach(last, stopInTime, { discard: true })
  })

  const offer = Effect.fnUntraced(function* <E, R>(name: string, work: Effect.Effect<unknown, E, R>) {
    const context = yield* Effect.context<R>()
    offered.set(name, Effect.provideContext(work, context))
    yield* Effect.addFinalizer(() => Effect.sync(() => offered.delete(name)))
  })

  const once = Effect.fn("Supervisor.once")(function* (name: string) {
    const work = offered.get(name)
    if (work === undefined) return yield* Effect.die(`no work named ${name} is offered`)
    return yield* Effect.asVoid(work)
  })

  const forget = (name: string) =>
    Effect.sync(() => {
      if (tasks.get(name)?.status === "stopped") tasks.delete(name)
    })

  const beforeStop = Effect.fnUntraced(function* (leave: Effect.Effect<void>) {
    leaving.add(leave)
    yield* Effect.addFinalizer(() => Effect.sync(() => leaving.delete(leave)))
  })

  return {
    run,
    forget,
    beforeStop,
    offer,
    once,
    states: Effect.sync(() => [...tasks.values()]),
    stop,
    join: Effect.ensuring(Deferred.await(failure), stop)
  }
})

/**
 * Runs every long-lived task of the process by name. A task that ends is restarted after a growing delay. If a task
 * keeps failing, `join` fails with its cause, and with it the process.
 */
export class Supervisor extends Context.Service<
  Supervisor,
  {
    /**
     * Starts a task with the services of the caller. It is stopped when the caller's scope closes, and so before the
     * services it uses. The task gets a new scope for each run.
     */
    readonly run: <E, R>(
      name: string,
      task: Effect.Effect<never, E, R>,
      policy?: Partial<TaskPolicy>
    ) => Effect.Effect<void, never, Exclude<R, Scope.Scope> | Scope.Scope>
    /** Takes a task that stopped out of the states: it runs elsewhere. */
    readonly forget: (name: string) => Effect.Effect<void>
    /** Does this before the first task is stopped, until the caller's scope closes. */
    readonly beforeStop: (leave: Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
    /** Lets `once` do this work, with the services of the caller, until the caller's scope closes. */
    readonly offer: <E, R>(
      name: string,
      work: Effect.Effect<unknown, E, R>
    ) => Effect.Effect<void, never, R | Scope.Scope>
    /** Does work that was offered under this name now, for an administrator who does not want to wait for its time. */
    readonly once: (name: string) => Effect.Effect<void, unknown>
    /** State of every task, in the order they were started. */
    readonly states: Effect.Effect<ReadonlyArray<TaskState>>
    /**
     * Stops every task and waits for them, in total for `StopLimit`: first those that hand over, all at once, then the last
     * started first.
     */
    readonly stop: Effect.Effect<void>
    /** Fails when a task has used up its restarts. Stops all tasks when it fails or is interrupted. */
    readonly join: Effect.Effect<never, TaskFailed>
  }
>()("@kinora/node/supervision/Supervisor") {
  static readonly layer = Layer.effect(Supervisor, make)
}
