import { Tools } from "@kinora/media/tools/Tools"
import { canEncode, softwareEncoder } from "@kinora/media/transcode/VideoEncoder"
import { Data, Duration, Effect, FiberMap, Option, Runtime, Stream } from "effect"
import { type Entry, Registrations } from "../config/Registrations.ts"
import { RunnerConfig } from "../config/RunnerConfig.ts"
import { withRetries } from "../server/RetryPolicy.ts"
import { type Hold, RunnerServer } from "../server/RunnerServer.ts"
import { encoderLabel, Encoders } from "../work/Encoders.ts"
import { WorkFolders } from "../work/WorkFolders.ts"
import { Dispatcher } from "./Dispatcher.ts"
import { RunningJobs } from "./RunningJobs.ts"
import { serveStatus } from "./StatusSocket.ts"

/** The runner is not ready to start. */
export class CannotStart extends Data.TaggedError("CannotStart")<{ readonly message: string }> {
  /** As for an invalid configuration: systemd does not restart the runner. */
  override get [Runtime.errorExitCode](): number {
    return 78
  }
}

/** Time limit for giving back jobs of the former process. After that, servers notice by the missing reports. */
const givingBackTime = Duration.minutes(2)

/**
 * Works for every registered server, including later registrations, until it is interrupted. Then it finishes what it
 * can within the grace period.
 */
export const start = Effect.gen(function* () {
  const config = yield* RunnerConfig
  const dispatcher = yield* Dispatcher
  const encoders = yield* Encoders
  const folders = yield* WorkFolders
  const running = yield* RunningJobs
  const server = yield* RunnerServer
  const tools = yield* Tools

  const registrations = yield* Registrations
  const entries = yield* registrations.all
  if (entries.length === 0) {
    return yield* new CannotStart({ message: "There is no server to work for: begin with kinora-runner register" })
  }
  // Checked now rather than with every job.
  yield* Effect.all([tools.path("ffmpeg"), tools.path("ffprobe")])
  yield* Effect.forEach(tools.report.warnings, (warning) => Effect.logWarning(warning))
  const served = new Map<string, string>()
  yield* serveStatus(
    Effect.gen(function* () {
      const encoder = encoderLabel(yield* encoders.current)
      return { servers: [...served.keys()], encoder, jobs: yield* running.all }
    })
  )

  const giveBack = (hold: Hold) =>
    withRetries(server.abort(hold, "The runner was restarted"), givingBackTime).pipe(
      Effect.andThen(Effect.logInfo("A job of an earlier process was returned to the server")),
      Effect.catch((error) => Effect.logInfo(`A job of an earlier process could not be returned: ${error.message}`)),
      Effect.annotateLogs({ job: hold.uuid, server: hold.origin })
    )
  yield* encoders.find
  const { codec } = config.media
  const software = encoderLabel(softwareEncoder(codec))
  const encodes = config.job_types.some((type) => type !== "generate-video-storyboard")
  if (encodes && encoderLabel(yield* encoders.current) === software && !canEncode(tools.report.features, codec)) {
    // Otherwise every job would be claimed only to be given back.
    return yield* new CannotStart({
      message: `Nothing here encodes ${codec}: this ffmpeg was built without ${software}`
    })
  }

  const left = yield* folders.sweep
  yield* Effect.forkScoped(Effect.forEach(left, giveBack, { concurrency: "unbounded" }))

  const serving = yield* FiberMap.make<string, never, never>()
  /** Serves exactly these servers. Jobs of removed servers continue until their server reports them as lost. */
  const serve = Effect.fnUntraced(function* (wanted: ReadonlyArray<Entry>) {
    const origins = new Set(wanted.map(({ origin }) => origin))
    for (const origin of [...served.keys()].filter((one) => !origins.has(one))) {
      served.delete(origin)
      yield* FiberMap.remove(serving, origin)
      yield* Effect.logInfo(`No longer working for ${origin}`)
    }
    const fresh = wanted.filter(({ origin, runnerToken }) => served.get(origin) !== runnerToken)
    for (const entry of fresh) {
      served.set(entry.origin, entry.runnerToken)
      yield* FiberMap.run(serving, entry.origin, dispatcher.serve(entry))
    }
    if (fresh.length > 0) yield* Effect.logInfo(`Working for ${fresh.map(({ origin }) => origin).join(", ")}`)
  })
  yield* serve(entries)
  const keepUp = registrations.changes.pipe(
    Stream.runForEach(() =>
      Effect.catch(Effect.flatMap(registrations.all, serve), ({ message }) =>
        Effect.logWarning(`The list of servers is unchanged: ${message}`)
      )
    ),
    Effect.andThen(Effect.never)
  )

  const drain = Effect.gen(function* () {
    yield* FiberMap.clear(serving)
    const busy = (yield* running.all).length
    if (busy > 0) yield* Effect.logInfo(`Finishing ${busy} jobs, for ${config.grace_seconds} s at most`)
    const idle = yield* Effect.timeoutOption(dispatcher.idle, Duration.seconds(config.grace_seconds))
    if (Option.isNone(idle)) yield* Effect.logInfo("Remaining jobs are returned to the server")
  })
  return yield* Effect.onInterrupt(Effect.raceFirst(FiberMap.join(serving), keepUp), () => drain)
}).pipe(Effect.scoped)
