import { Tools } from "@kinora/media/tools/Tools"
import { Data, Duration, Effect, FiberMap, Option, Runtime } from "effect"
import { Registrations } from "../config/Registrations.ts"
import { RunnerConfig } from "../config/RunnerConfig.ts"
import { patiently } from "../server/Patience.ts"
import { type Hold, RunnerServer } from "../server/RunnerServer.ts"
import { WorkFolders } from "../work/WorkFolders.ts"
import { Dispatcher } from "./Dispatcher.ts"
import { RunningJobs } from "./RunningJobs.ts"
import { serveStatus } from "./StatusSocket.ts"

/** There is nothing to start with. */
export class CannotStart extends Data.TaggedError("CannotStart")<{ readonly message: string }> {
  /** As with a wrong configuration: systemd does not start it again. */
  override get [Runtime.errorExitCode](): number {
    return 78
  }
}

/** How long the jobs of a former self are offered back; afterwards servers notice by the silence. */
const givingBackTime = Duration.minutes(2)

/** Works for every registered server until it is interrupted; then it finishes what it can within the grace period. */
export const start = Effect.gen(function* () {
  const config = yield* RunnerConfig
  const dispatcher = yield* Dispatcher
  const folders = yield* WorkFolders
  const running = yield* RunningJobs
  const server = yield* RunnerServer
  const tools = yield* Tools

  const entries = yield* (yield* Registrations).all
  if (entries.length === 0) {
    return yield* new CannotStart({ message: "There is no server to work for: begin with kinora-runner register" })
  }
  // Rather now than with every job.
  yield* Effect.all([tools.path("ffmpeg"), tools.path("ffprobe")])
  yield* Effect.forEach(tools.report.warnings, (warning) => Effect.logWarning(warning))
  yield* serveStatus(
    entries.map(({ origin }) => origin),
    running.all
  )

  const giveBack = (hold: Hold) =>
    patiently(server.abort(hold, "The runner was restarted"), givingBackTime).pipe(
      Effect.andThen(Effect.logInfo("A job of a former process was given back")),
      Effect.catch((error) => Effect.logInfo(`A job of a former process was not given back: ${error.message}`)),
      Effect.annotateLogs({ job: hold.uuid, server: hold.origin })
    )
  const left = yield* folders.sweep
  yield* Effect.forkScoped(Effect.forEach(left, giveBack, { concurrency: "unbounded" }))

  const serving = yield* FiberMap.make<string, never, never>()
  for (const entry of entries) yield* FiberMap.run(serving, entry.origin, dispatcher.serve(entry))
  yield* Effect.logInfo(`Working for ${entries.map(({ origin }) => origin).join(", ")}`)

  const drain = Effect.gen(function* () {
    yield* FiberMap.clear(serving)
    const busy = (yield* running.all).length
    if (busy > 0) yield* Effect.logInfo(`Finishing ${busy} jobs, for ${config.grace_seconds} s at most`)
    const idle = yield* Effect.timeoutOption(dispatcher.idle, Duration.seconds(config.grace_seconds))
    if (Option.isNone(idle)) yield* Effect.logInfo("What is left is given back")
  })
  return yield* Effect.onInterrupt(FiberMap.join(serving), () => drain)
}).pipe(Effect.scoped)
