import { RunnerJobState } from "@kinora/domain/enums/RunnerJobState"
import { madeRunnerJobTypes } from "@kinora/domain/enums/RunnerJobType"
import {
  RunnerJobNotFound,
  RunnerJobNotInProcessingState,
  UnknownRunnerToken
} from "@kinora/domain/errors/RunnerErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { OfHeldJob } from "@kinora/domain/requests/RunnerRequests"
import { type HeldJob, RunnerJobReads } from "@kinora/storage/runners/RunnerJobReads"
import { type KnownRunner, type RunnerContact, RunnerRows } from "@kinora/storage/runners/RunnerRows"
import { Clock, Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { noteProven } from "../http/ProvenRequests.ts"
import { hashToken } from "../sessions/TokenHash.ts"

/** A runner with a job that was given to it; it need not hold it any more. */
export interface Held {
  readonly runner: KnownRunner
  readonly job: HeldJob
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
    /** The runner of a token; notes that it was heard of, and that its request is not to be limited. */
    readonly runner: (
      token: string,
      request: HttpServerRequest,
      told?: Pick<RunnerContact, "version" | "jobTypes">
    ) => Effect.Effect<KnownRunner, UnknownRunnerToken | DatabaseUnavailable>
    /** The runner and the job whose tokens are shown: a job token opens its own job alone, for who accepted it. */
    readonly held: (uuid: string, tokens: OfHeldJob, request: HttpServerRequest) => Effect.Effect<Held, NotHeld>
    /** The same, of a job that is being worked on. */
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
      const jobs = yield* RunnerJobReads

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

      const runner = Effect.fn("RunnerAccess.runner")(function* (
        token: string,
        request: HttpServerRequest,
        news: Pick<RunnerContact, "version" | "jobTypes"> = { version: undefined }
      ) {
        const found = yield* knows(token)
        if (Option.isNone(found)) return yield* new UnknownRunnerToken()
        noteProven(request)
        yield* hear(found.value.id, { ip: Option.getOrElse(request.remoteAddress, () => ""), ...news })
        return found.value
      })

      const held = Effect.fn("RunnerAccess.held")(function* (
        uuid: string,
        { jobToken, runnerToken }: OfHeldJob,
        request: HttpServerRequest
      ) {
        const who = yield* runner(runnerToken, request)
        const tokenHash = hashToken(jobToken)
        const job = yield* jobs.held(uuid, who.id, tokenHash)
        return Option.isNone(job) ? yield* new RunnerJobNotFound() : { runner: who, job: job.value, tokenHash }
      })

      const processing = Effect.fnUntraced(function* (uuid: string, tokens: OfHeldJob, request: HttpServerRequest) {
        const found = yield* held(uuid, tokens, request)
        if (found.job.state !== RunnerJobState.processing) return yield* new RunnerJobNotInProcessingState()
        return found
      })

      return RunnerAccess.of({ runner, held, processing, knows })
    })
  )
}
