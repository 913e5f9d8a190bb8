import { Clock, Console, Duration, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { isatty } from "node:tty"
import { RunningJobs, type RunningJob } from "../running/RunningJobs.ts"
import { start } from "../running/Start.ts"
import { askStatus } from "../running/StatusSocket.ts"
import { CliFailure, toCliFailure } from "./CliFailure.ts"
import { configured, working } from "./Layers.ts"

const width = 20
const drawEvery = Duration.seconds(5)

const line = (
  job: Pick<RunningJob, "uuid" | "type" | "origin" | "percent" | "since"> & { readonly phase: string },
  now: number
) => {
  const full = Math.round((job.percent / 100) * width)
  const bar = `${"█".repeat(full)}${"░".repeat(width - full)}`
  const seconds = Duration.seconds(Math.max(0, Math.round((now - job.since) / 1000)))
  return `${bar} ${String(job.percent).padStart(3)} %  ${job.uuid.slice(0, 8)}  ${job.type}  ${job.phase}  ${Duration.format(seconds)}  ${job.origin}`
}

/** A line a job, now and then. */
const draw = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  const jobs = yield* (yield* RunningJobs).all
  if (jobs.length > 0) yield* Console.log(jobs.map((job) => line(job, now)).join("\n"))
  yield* Effect.sleep(drawEvery)
}).pipe(Effect.forever)

const shown = isatty(1) ? Effect.raceFirst(start, draw) : start

/** Works until it is told to stop. */
export const startCommand = Command.make("start", {}, () =>
  toCliFailure(Effect.asVoid(shown).pipe(Effect.provide(working)))
).pipe(
  Command.withDescription(
    "Work for the registered servers until SIGTERM or SIGINT: no job is begun then, those that run may end within " +
      "grace_seconds, and what is left is given back. A second signal ends at once."
  ),
  Command.withShortDescription("Work for the registered servers")
)

/** What the running process does. */
export const statusCommand = Command.make(
  "status",
  { json: Flag.Boolean("json").pipe(Flag.withDescription("As JSON"), Flag.withDefault(false)) },
  ({ json }) =>
    toCliFailure(
      Effect.gen(function* () {
        const status = yield* askStatus
        if (status === undefined) {
          return yield* new CliFailure({ message: "No runner works in this storage.", exitCode: 3 })
        }
        if (json) return yield* Console.log(JSON.stringify(status))
        const now = yield* Clock.currentTimeMillis
        yield* Console.log(`Process ${status.pid}, version ${status.version}, works for ${status.servers.join(", ")}`)
        for (const job of status.jobs) yield* Console.log(line(job, now))
        if (status.jobs.length === 0) yield* Console.log("No job at the moment.")
      }).pipe(Effect.provide(configured))
    )
).pipe(Command.withDescription("Tell what the running process works on. Exits with 3 when none runs."))
