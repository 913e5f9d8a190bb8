import { LiveError } from "@kinora/domain/enums/Live"
import type { ClosedSegment } from "@kinora/media/live/Segmenting"
import { LiveRunnerJobs } from "@kinora/storage/runner/LiveRunnerJobs"
import { maxFailures, RunnerJobBoard } from "@kinora/storage/runner/RunnerJobBoard"
import { type Cause, Clock, Duration, Effect, Layer, Option, Queue, Schedule } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import { PlayKeys } from "../../live/ingest/PlayKeys.ts"
import type { LiveEnd } from "../../live/session/LiveEnd.ts"
import { LiveRuns, type RunLost, type RunWork, type StartRun } from "../../live/session/LiveRuns.ts"
import { LocalRuns } from "../../live/session/LocalRuns.ts"
import { LiveSettings } from "../../live/settings/LiveSettings.ts"
import { UploadSettings } from "../../video/staging/UploadSettings.ts"
import { liveJob, streamAddress } from "./LiveJob.ts"
import { OpenRuns } from "./OpenRuns.ts"
import { makeRunChunks } from "./RunChunks.ts"
import { RunTimes, verdictOf } from "./RunVerdict.ts"
import { StreamReaders } from "./StreamReaders.ts"

type Segments = Queue.Queue<ClosedSegment, LiveEnd | RunLost | Cause.Done>

const lookEvery = Duration.seconds(1)
const keyBytes = 24

const gaveUp: LiveEnd = { error: LiveError.runnerJob, reason: "Runners failed at the live again and again" }

/** Whether there is anything that a runner can relieve this node of. */
const isEncoded = ({ outputs }: RunWork): boolean => outputs.some(({ picture }) => typeof picture !== "string")

/** Runs of runners, where the configuration says so; otherwise, and when no runner takes the job, of this node. */
export const remoteRuns = Layer.effect(
  LiveRuns,
  Effect.gen(function* () {
    const board = yield* RunnerJobBoard
    const jobs = yield* LiveRunnerJobs
    const keys = yield* PlayKeys
    const local = yield* LocalRuns
    const open = yield* OpenRuns
    const settings = yield* LiveSettings
    const { reserveDisk } = yield* UploadSettings
    const times = yield* RunTimes

    /** Looks after the job until the run ends. */
    const watch = Effect.fnUntraced(function* (
      id: number,
      { relay }: RunWork,
      readers: StreamReaders,
      onEnd: (end: "done" | RunLost | LiveEnd) => Effect.Effect<void>
    ) {
      const addedAt = yield* Clock.currentTimeMillis
      let takenAt: number | undefined
      let endedAt: number | undefined
      for (;;) {
        yield* Effect.sleep(lookEvery)
        // While the database is away nothing is known, and nothing is decided.
        const looked = yield* Effect.option(jobs.look(id))
        if (Option.isNone(looked)) continue
        const job = Option.getOrUndefined(looked.value)
        const now = yield* Clock.currentTimeMillis
        if (job !== undefined && job.state !== 1) takenAt ??= now
        if (relay.isEnded) endedAt ??= now
        const verdict = verdictOf(
          {
            job,
            age: now - addedAt,
            takenFor: now - (takenAt ?? now),
            silentFor: readers.silentFor(now),
            wasRead: readers.wasRead,
            endedFor: endedAt === undefined ? undefined : now - endedAt
          },
          times
        )
        if (verdict === undefined) continue
        if (verdict.lose !== undefined) yield* Effect.ignore(jobs.lose(id, verdict.lose))
        return yield* onEnd(verdict.end)
      }
    })

    const remote = Effect.fnUntraced(function* (work: RunWork) {
      const uuid = randomUUID()
      const key = randomBytes(keyBytes).toString("base64url")
      const { rtmp, rtmps } = settings
      const address = streamAddress((rtmp.enabled ? rtmp : rtmps).publicUrl, key)
      const segments: Segments = yield* Queue.unbounded<ClosedSegment, LiveEnd | RunLost | Cause.Done>()
      const readers = new StreamReaders()
      const chunks = yield* makeRunChunks(work, reserveDisk, (segment) => void Queue.offerUnsafe(segments, segment))
      yield* keys.open(key, readers.counted(work.relay.play))
      yield* open.open(uuid, chunks)
      const id = yield* Effect.acquireRelease(board.add(liveJob(work, uuid, address, settings.holder)), (added) =>
        // Nobody needs it any more. Completed jobs stay as they are.
        Effect.ignore(Effect.retry(board.cancel(added), { times: 10, schedule: Schedule.spaced(lookEvery) }), {
          log: "Warn",
          message: "The job of a live could not be cancelled"
        })
      )
      yield* Effect.logInfo(`Live ${work.video.uuid} waits for a runner (job ${uuid})`)
      const onEnd = Effect.fnUntraced(function* (end: "done" | RunLost | LiveEnd) {
        yield* Effect.ignore(chunks.flush, { log: "Warn", message: "The last segments of a live could not be kept" })
        yield* end === "done" ? Queue.end(segments) : Queue.fail(segments, end)
      })
      yield* Effect.forkScoped(watch(id, work, readers, onEnd))
      return { next: Queue.take(segments) }
    })

    const start: StartRun = (work) => {
      if (!settings.remoteRunners || !isEncoded(work)) return local.start(work)
      if (work.lost.some(({ why }) => why === "untaken")) return local.start(work)
      if (work.lost.length >= maxFailures) return Effect.fail(gaveUp)
      return Effect.catchTag(remote(work), "DatabaseUnavailable", () => local.start(work))
    }

    return LiveRuns.of({ start })
  })
)
