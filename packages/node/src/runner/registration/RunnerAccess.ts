import { RunnerJobState } from "@kinora/domain/enums/RunnerJobState"
import { madeRunnerJobTypes } from "@kinora/domain/enums/RunnerJobType"
import {
  RunnerJobNotFound,
  RunnerJobNotInProcessingState,
  UnknownRunnerToken
} from "@kinora/domain/errors/RunnerErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { OfHeldJob } from "@kinora/domain/requests/RunnerRequests"
import {
  type Asked,
  type Heard,
  type HeldJob,
  type OfferedJob,
  type ReportedJob,
  RunnerCalls
} from "@kinora/storage/runner/RunnerCalls"
import type { RunnerJobRow } from "@kinora/storage/runner/RunnerJobRow"
import { type KnownRunner, type RunnerContact, RunnerRows } from "@kinora/storage/runner/RunnerRows"
import { Clock, Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { noteProven } from "../../platform/http/ProvenRequests.ts"
import { hashToken } from "../../people/session/TokenHash.ts"

/** A runner with a job that was given to it; it need not hold it any more. */
export interface Held<Job = HeldJob> {
  readonly runner: KnownRunner
  readonly job: Job
  /** SHA-256 of the job token, which names the acceptance. */
  readonly tokenHash: Uint8Array
}

type NotHeld = UnknownRunnerToken | RunnerJobNotFound | DatabaseUnavailable

/** Least time between two looks at when a runner was noted last: it asks and reports much oftener. */
const quietMillis = 10_000

/** What runners show: their token with every request, and the token of a job with all that concerns it. */
export class RunnerAccess extends Context.Service<
  RunnerAccess,
  {
    /** The runner of a token. As with all that follows, it is noted that it was heard of, and its request is not limited. */
    readonly runner: (
      token: string,
      request: HttpServerRequest
    ) => Effect.Effect<KnownRunner, UnknownRunnerToken | DatabaseUnavailable>
    /** The most urgent jobs that nobody has; `types` are those that the runner named. */
    readonly offers: (
      asked: Asked,
      request: HttpServerRequest,
      told: Pick<RunnerContact, "version" | "jobTypes">
    ) => Effect.Effect<ReadonlyArray<OfferedJob>, UnknownRunnerToken | DatabaseUnavailable>
    /** Gives a pending job to a runner under a job token; none when it has another holder, or is not there. */
    readonly accept: (
      uuid: string,
      runnerToken: string,
      tokenHash: Uint8Array,
      request: HttpServerRequest
    ) => Effect.Effect<Option.Option<RunnerJobRow>, UnknownRunnerToken | DatabaseUnavailable>
    /** The runner and the job whose tokens are shown: a job token opens its own job alone, for who accepted it. */
    readonly held: (uuid: string, tokens: OfHeldJob, request: HttpServerRequest) => Effect.Effect<Held, NotHeld>
    /** The same with a sign of life, which is written down when the job is being worked on. */
    readonly report: (
      uuid: string,
      tokens: OfHeldJob,
      progress: number | undefined,
      request: HttpServerRequest
    ) => Effect.Effect<Held<ReportedJob>, NotHeld>
    /** The runner and the job, of one that is being worked on. */
    readonly processing: (
      uuid: string,
      tokens: OfHeldJob,
      request: HttpServerRequest
    ) => Effect.Effect<Held, NotHeld | RunnerJobNotInProcessingState>
    /** Whether the token is one of a runner. */
    readonly knows: (token: string) => Effect.Effect<Option.Option<KnownRunner>, DatabaseUnavailable>
  }
>()("@kinora/node/runners/RunnerAccess") {
  static readonly layer = Layer.effect(
    RunnerAccess,
    Effect.gen(function* () {
      const rows = yield* RunnerRows
      const calls = yield* RunnerCalls
      const { stalled_jobs } = (yield* KinoraConfig).remote_runners

      const told = new Map<
        number,
        { readonly at: number; readonly version: string | undefined; readonly types: string | undefined }
      >()

      const knows = (token: string) => rows.byToken(hashToken(token))

      const hear = Effect.fnUntraced(function* (id: number, contact: RunnerContact) {
        const { jobTypes: asked, version } = contact
        const jobTypes = asked && madeRunnerJobTypes.filter((type) => asked.includes(type))
        const now = yield* Clock.currentTimeMillis
        const last = told.get(id)
        const types = jobTypes?.join() ?? last?.types
        const isNews = types !== last?.types || (version !== undefined && version !== last?.version)
        if (last !== undefined && !isNews && now >= last.at && now - last.at < quietMillis) return
        yield* rows.heard(id, { ...contact, jobTypes })
        told.set(id, { at: now, version: version ?? last?.version, types })
      })

      /** Notes that a runner was heard of, with what it says of itself. */
      const known = Effect.fnUntraced(function* (
        runner: Option.Option<KnownRunner>,
        request: HttpServerRequest,
        news: Pick<RunnerContact, "version" | "jobTypes"> = { version: undefined }
      ) {
        if (Option.isNone(runner)) return yield* new UnknownRunnerToken()
        noteProven(request)
        const ip = Option.getOrElse(request.remoteAddress, () => "")
        // What was asked is done by now, and may be a job that was given: the answer does not depend on this.
        yield* Effect.ignore(hear(runner.value.id, { ip, ...news }), { log: "Warn" })
        return runner.value
      })

      const runner = Effect.fn("RunnerAccess.runner")(function* (token: string, request: HttpServerRequest) {
        return yield* known(yield* knows(token), request)
      })

      const offers = Effect.fnUntraced(function* (
        asked: Asked,
        request: HttpServerRequest,
        news: Pick<RunnerContact, "version" | "jobTypes">
      ) {
        const answer = yield* calls.available(asked)
        yield* known(
          Option.map(answer, (one) => one.runner),
          request,
          news
        )
        return Option.match(answer, { onNone: () => [], onSome: ({ found }) => found })
      })

      const accept = Effect.fnUntraced(function* (
        uuid: string,
        runnerToken: string,
        tokenHash: Uint8Array,
        request: HttpServerRequest
      ) {
        const answer = yield* calls.accept({ uuid, runnerHash: hashToken(runnerToken), tokenHash }, stalled_jobs)
        yield* known(
          Option.map(answer, (one) => one.runner),
          request
        )
        return Option.flatMap(answer, ({ found }) => found)
      })

      const spokenOf = Effect.fnUntraced(function* <Job>(
        uuid: string,
        { jobToken, runnerToken }: OfHeldJob,
        request: HttpServerRequest,
        ask: (spoken: { uuid: string; runnerHash: Uint8Array; tokenHash: Uint8Array }) => Heard<Option.Option<Job>>
      ) {
        const tokenHash = hashToken(jobToken)
        const answer = yield* ask({ uuid, runnerHash: hashToken(runnerToken), tokenHash })
        const who = yield* known(
          Option.map(answer, (one) => one.runner),
          request
        )
        const job = Option.flatMap(answer, ({ found }) => found)
        return Option.isNone(job) ? yield* new RunnerJobNotFound() : { runner: who, job: job.value, tokenHash }
      })

      const held = Effect.fn("RunnerAccess.held")((uuid: string, tokens: OfHeldJob, request: HttpServerRequest) =>
        spokenOf(uuid, tokens, request, calls.held)
      )

      const report = Effect.fn("RunnerAccess.report")(
        (uuid: string, tokens: OfHeldJob, progress: number | undefined, request: HttpServerRequest) =>
          spokenOf(uuid, tokens, request, (spoken) => calls.report(spoken, progress, stalled_jobs))
      )

      const processing = Effect.fnUntraced(function* (uuid: string, tokens: OfHeldJob, request: HttpServerRequest) {
        const found = yield* held(uuid, tokens, request)
        if (found.job.state !== RunnerJobState.processing) return yield* new RunnerJobNotInProcessingState()
        return found
      })

      return RunnerAccess.of({ runner, offers, accept, held, report, processing, knows })
    })
  )
}
