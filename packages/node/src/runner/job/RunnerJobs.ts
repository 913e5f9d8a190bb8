import { publicRunnerJobTypes } from "@kinora/domain/enums/RunnerJobType"
import { RunnerJobState } from "@kinora/domain/enums/RunnerJobState"
import {
  RunnerJobEnded,
  RunnerJobNotFound,
  RunnerJobNotInPendingState,
  RunnerJobNotEnded,
  RunnerJobNotInProcessingState,
  RunnerJobOutdated,
  type UnknownRunnerToken
} from "@kinora/domain/errors/RunnerErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { OfHeldJob, RequestJobs } from "@kinora/domain/requests/RunnerRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { AcceptedJob } from "@kinora/domain/wire/Runner"
import type { OfferedJob } from "@kinora/storage/runner/RunnerCalls"
import { RunnerJobBoard } from "@kinora/storage/runner/RunnerJobBoard"
import { RunnerJobReads } from "@kinora/storage/runner/RunnerJobReads"
import { RunnerJobRemoval } from "@kinora/storage/runner/RunnerJobRemoval"
import { Clock, Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { hashToken } from "../../people/session/TokenHash.ts"
import { OfferReservations } from "./OfferReservations.ts"
import { RunnerAccess } from "../registration/RunnerAccess.ts"
import { newJobToken } from "../registration/RunnerTokens.ts"
import { runnerJobWire } from "../registration/RunnerWire.ts"

type Refused = UnknownRunnerToken | RunnerJobNotFound | RunnerJobNotInProcessingState | DatabaseUnavailable

interface Progress {
  readonly tokens: OfHeldJob
  readonly percent: number | undefined
}

/** States in which a late report is not an error: the result has already arrived (contract: update). */
const over: ReadonlySet<number> = new Set([RunnerJobState.completing, RunnerJobState.completed])

/** The end of a tool's output, as one line for the log. */
const inOneLine = (words: string): string => words.slice(-500).replaceAll(/\s+/g, " ").trim()

/** What runners and administrators do with jobs. */
export class RunnerJobs extends Context.Service<
  RunnerJobs,
  {
    /** The most urgent pending jobs of the requested types, by default those of the contract. */
    readonly available: (
      asked: RequestJobs,
      request: HttpServerRequest
    ) => Effect.Effect<ReadonlyArray<OfferedJob>, UnknownRunnerToken | DatabaseUnavailable>
    /** Gives a job to a runner, with a new job token. */
    readonly accept: (
      uuid: string,
      runnerToken: string,
      request: HttpServerRequest
    ) => Effect.Effect<
      AcceptedJob,
      UnknownRunnerToken | RunnerJobNotFound | RunnerJobNotInPendingState | DatabaseUnavailable
    >
    /** Takes a job back from a runner that aborts it. */
    readonly abort: (
      uuid: string,
      tokens: OfHeldJob,
      reason: string,
      request: HttpServerRequest
    ) => Effect.Effect<void, Refused>
    /** The same after a failure. The fifth failure ends the job and those that depend on it. */
    readonly fail: (
      uuid: string,
      tokens: OfHeldJob,
      message: string,
      request: HttpServerRequest
    ) => Effect.Effect<void, Refused>
    /** Notes that a runner still works on a job. */
    readonly update: (uuid: string, progress: Progress, request: HttpServerRequest) => Effect.Effect<void, Refused>
    /** Cancels a job and those that depend on it. */
    readonly cancel: (
      user: CurrentUserShape,
      uuid: string
    ) => Effect.Effect<void, RunnerJobNotFound | RunnerJobEnded | DatabaseUnavailable>
    /**
     * Restarts a job that failed or was cancelled, with its failures reset. The ladder that failed with it continues:
     * only unfinished work is given out.
     */
    readonly retry: (
      user: CurrentUserShape,
      uuid: string
    ) => Effect.Effect<void, RunnerJobNotFound | RunnerJobNotEnded | RunnerJobOutdated | DatabaseUnavailable>
    /** Cancels a job and those that depend on it, and deletes them. */
    readonly remove: (
      user: CurrentUserShape,
      uuid: string
    ) => Effect.Effect<void, RunnerJobNotFound | DatabaseUnavailable>
    /** Takes jobs back from runners that were silent for too long. */
    readonly takeBack: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/runners/RunnerJobs") {
  static readonly layer = Layer.effect(
    RunnerJobs,
    Effect.gen(function* () {
      const { transcoding } = yield* KinoraConfig
      const access = yield* RunnerAccess
      const board = yield* RunnerJobBoard
      const reads = yield* RunnerJobReads
      const removal = yield* RunnerJobRemoval
      const audit = yield* AuditTrail

      const firstOffers = new OfferReservations()

      const available = Effect.fn("RunnerJobs.available")(function* (asked: RequestJobs, request: HttpServerRequest) {
        const jobTypes = asked.jobTypes ?? undefined
        const runnerHash = hashToken(asked.runnerToken)
        const asker = Buffer.from(runnerHash).toString("base64")
        const { last, max } = firstOffers.ask(asker, yield* Clock.currentTimeMillis)
        const types = jobTypes ?? publicRunnerJobTypes
        const jobs = yield* access
          .offers({ runnerHash, types, last, max }, request, { version: asked.version ?? undefined, jobTypes })
          .pipe(Effect.ensuring(Effect.sync(() => firstOffers.answered())))
        return firstOffers.choose(jobs, asker, yield* Clock.currentTimeMillis)
      })

      const accept = Effect.fn("RunnerJobs.accept")(function* (
        uuid: string,
        runnerToken: string,
        request: HttpServerRequest
      ) {
        const jobToken = newJobToken()
        const job = yield* access.accept(uuid, runnerToken, hashToken(jobToken), request)
        if (Option.isSome(job)) firstOffers.taken(uuid, yield* Clock.currentTimeMillis)
        if (Option.isSome(job)) return { job: { ...runnerJobWire(job.value), jobToken } }
        return Option.isNone(yield* reads.idOf(uuid))
          ? yield* new RunnerJobNotFound()
          : yield* new RunnerJobNotInPendingState()
      })

      const giveBack = Effect.fnUntraced(function* (
        uuid: string,
        tokens: OfHeldJob,
        end: { readonly failed: boolean; readonly words: string },
        request: HttpServerRequest
      ) {
        const { job, runner, tokenHash } = yield* access.processing(uuid, tokens, request)
        const became = yield* board.giveBack(job.id, tokenHash, end)
        if (Option.isNone(became)) return yield* new RunnerJobNotInProcessingState()
        yield* Effect.logInfo(
          `Runner ${runner.name} ${end.failed ? "failed at" : "gave back"} job ${job.uuid} (${job.type})` +
            `${became.value === RunnerJobState.errored ? ", for the last time" : ""}: ${inOneLine(end.words)}`
        )
      })

      const update = Effect.fn("RunnerJobs.update")(function* (
        uuid: string,
        { percent, tokens }: Progress,
        request: HttpServerRequest
      ) {
        const { job } = yield* access.report(uuid, tokens, percent, request)
        if (job.state !== RunnerJobState.processing && !over.has(job.state)) {
          return yield* new RunnerJobNotInProcessingState()
        }
      })

      const existing = Effect.fnUntraced(function* (uuid: string) {
        const id = yield* reads.idOf(uuid)
        return Option.isNone(id) ? yield* new RunnerJobNotFound() : id.value
      })

      const around = (user: CurrentUserShape, action: string, uuid: string) =>
        audit.around(user, { domain: "runner-job", action, target: { uuid }, values: reads.values(uuid) })

      const cancel = Effect.fn("RunnerJobs.cancel")(function* (user: CurrentUserShape, uuid: string) {
        const id = yield* existing(uuid)
        if (!(yield* around(user, "cancel", uuid)(board.cancel(id)))) return yield* new RunnerJobEnded()
      })

      const retry = Effect.fn("RunnerJobs.retry")(function* (user: CurrentUserShape, uuid: string) {
        const id = yield* existing(uuid)
        // No runner would take it.
        if (!transcoding.remote_runners.enabled) return yield* new RunnerJobOutdated()
        switch (yield* around(user, "retry", uuid)(board.retry(id))) {
          case "retried":
            return
          case "missing":
            return yield* new RunnerJobNotFound()
          case "not ended":
            return yield* new RunnerJobNotEnded()
          case "outdated":
            return yield* new RunnerJobOutdated()
        }
      })

      const remove = Effect.fn("RunnerJobs.remove")(function* (user: CurrentUserShape, uuid: string) {
        const id = yield* existing(uuid)
        const removed = Effect.andThen(board.cancel(id), removal.remove(id))
        if (!(yield* around(user, "delete", uuid)(removed))) return yield* new RunnerJobNotFound()
      })

      const takeBack = Effect.gen(function* () {
        for (const { state, uuid } of yield* board.expire) {
          const became = state === RunnerJobState.errored ? "has failed for good" : "waits for another"
          yield* Effect.logWarning(`The runner of job ${uuid} stopped reporting: the job ${became}`)
        }
      }).pipe(Effect.withSpan("RunnerJobs.takeBack"))

      return RunnerJobs.of({
        available,
        accept,
        abort: (uuid, tokens, words, request) => giveBack(uuid, tokens, { failed: false, words }, request),
        fail: (uuid, tokens, words, request) => giveBack(uuid, tokens, { failed: true, words }, request),
        update,
        cancel,
        retry,
        remove,
        takeBack
      })
    })
  )
}
