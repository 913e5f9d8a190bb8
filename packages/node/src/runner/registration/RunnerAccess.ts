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
  type Answered,
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
import { noteExempt } from "../../platform/http/ExemptRequests.ts"
import { hashToken } from "../../people/session/TokenHash.ts"

/** A runner with a job that it accepted. It may no longer hold the job. */
export interface Held<Job = HeldJob> {
  readonly runner: KnownRunner
  readonly job: Job
  /** SHA-256 of the job token, which identifies the acceptance. */
  readonly tokenHash: Uint8Array
}

type NotHeld = UnknownRunnerToken | RunnerJobNotFound | DatabaseUnavailable

/** Minimum milliseconds between two updates of a runner's last contact: it asks and reports much more often. */
const quietMillis = 10_000

/** Authenticates runners: by their token on every request, and by the job token on requests about a job. */
export class RunnerAccess extends Context.Service<
  RunnerAccess,
  {
    /**
     * The runner of a token. This and the following methods also record the contact, and exempt the request from rate
     * limits.
     */
    readonly runner: (
      token: string,
      request: HttpServerRequest
    ) => Effect.Effect<KnownRunner, UnknownRunnerToken | DatabaseUnavailable>
    /** The most urgent pending jobs. `types` are those the runner asked for. */
    readonly offers: (
      asked: Asked,
      request: HttpServerRequest,
      reported: Pick<RunnerContact, "version" | "jobTypes">
    ) => Effect.Effect<ReadonlyArray<OfferedJob>, UnknownRunnerToken | DatabaseUnavailable>
    /** Gives a pending job to a runner with a job token. None if another runner holds it or it does not exist. */
    readonly accept: (
      uuid: string,
      runnerToken: string,
      tokenHash: Uint8Array,
      request: HttpServerRequest
    ) => Effect.Effect<Option.Option<RunnerJobRow>, UnknownRunnerToken | DatabaseUnavailable>
    /** The runner and the job of the tokens. A job token opens only its own job, for the runner that accepted it. */
    readonly held: (uuid: string, tokens: OfHeldJob, request: HttpServerRequest) => Effect.Effect<Held, NotHeld>
    /** The same, and records the contact if the job is in progress. */
    readonly report: (
      uuid: string,
      tokens: OfHeldJob,
      progress: number | undefined,
      request: HttpServerRequest
    ) => Effect.Effect<Held<ReportedJob>, NotHeld>
    /** The runner and its job, if the job is in progress. */
    readonly processing: (
      uuid: string,
      tokens: OfHeldJob,
      request: HttpServerRequest
    ) => Effect.Effect<Held, NotHeld | RunnerJobNotInProcessingState>
    /** Whether the token belongs to a runner. */
    readonly knows: (token: string) => Effect.Effect<Option.Option<KnownRunner>, DatabaseUnavailable>
  }
>()("@kinora/node/runners/RunnerAccess") {
  static readonly layer = Layer.effect(
    RunnerAccess,
    Effect.gen(function* () {
      const rows = yield* RunnerRows
      const calls = yield* RunnerCalls
      const { live, vod } = (yield* KinoraConfig).remote_runners.stalled_jobs
      const leases = { live, vod }

      const lastContacts = new Map<
        number,
        { readonly at: number; readonly version: string | undefined; readonly types: string | undefined }
      >()

      const knows = (token: string) => rows.byToken(hashToken(token))

      const recordContact = Effect.fnUntraced(function* (id: number, contact: RunnerContact) {
        const { jobTypes: asked, version } = contact
        const jobTypes = asked && madeRunnerJobTypes.filter((type) => asked.includes(type))
        const now = yield* Clock.currentTimeMillis
        const last = lastContacts.get(id)
        const types = jobTypes?.join() ?? last?.types
        const isNews = types !== last?.types || (version !== undefined && version !== last?.version)
        if (last !== undefined && !isNews && now >= last.at && now - last.at < quietMillis) return
        yield* rows.recordContact(id, { ...contact, jobTypes })
        lastContacts.set(id, { at: now, version: version ?? last?.version, types })
      })

      /** Records the contact of a runner, with what it reports about itself. */
      const known = Effect.fnUntraced(function* (
        runner: Option.Option<KnownRunner>,
        request: HttpServerRequest,
        news: Pick<RunnerContact, "version" | "jobTypes"> = { version: undefined }
      ) {
        if (Option.isNone(runner)) return yield* new UnknownRunnerToken()
        noteExempt(request)
        const ip = Option.getOrElse(request.remoteAddress, () => "")
        // The request itself is already done, and may have given out a job. Its answer must not depend on this.
        yield* Effect.ignore(recordContact(runner.value.id, { ip, ...news }), {
          log: "Warn",
          message: "When a runner was last heard of could not be noted"
        })
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
        const answer = yield* calls.accept({ uuid, runnerHash: hashToken(runnerToken), tokenHash }, leases)
        yield* known(
          Option.map(answer, (one) => one.runner),
          request
        )
        return Option.flatMap(answer, ({ found }) => found)
      })

      const heldBy = Effect.fnUntraced(function* <Job>(
        uuid: string,
        { jobToken, runnerToken }: OfHeldJob,
        request: HttpServerRequest,
        ask: (identity: { uuid: string; runnerHash: Uint8Array; tokenHash: Uint8Array }) => Answered<Option.Option<Job>>
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
        heldBy(uuid, tokens, request, calls.held)
      )

      const report = Effect.fn("RunnerAccess.report")(
        (uuid: string, tokens: OfHeldJob, progress: number | undefined, request: HttpServerRequest) =>
          heldBy(uuid, tokens, request, (identity) => calls.report(identity, progress, leases))
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
