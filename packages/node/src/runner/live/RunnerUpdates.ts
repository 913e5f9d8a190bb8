import { RunnerJobState } from "@kinora/domain/enums/RunnerJobState"
import { liveJobType } from "@kinora/domain/enums/RunnerJobType"
import { invalidParamsOf } from "@kinora/domain/errors/InvalidParams"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import {
  type RunnerJobNotFound,
  RunnerJobNotInProcessingState,
  type UnknownRunnerToken
} from "@kinora/domain/errors/RunnerErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { LiveUpdate, type OfHeldJob } from "@kinora/domain/requests/RunnerRequests"
import { Context, Effect, Layer, Schema, Scope } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { BodyRefused } from "../../platform/body/FieldsBody.ts"
import { ignored } from "../../platform/body/MultipartBody.ts"
import { readUpdate, refusedField } from "../job/RunnerForm.ts"
import { RunnerJobs } from "../job/RunnerJobs.ts"
import { RunnerAccess } from "../registration/RunnerAccess.ts"
import { OpenRuns } from "./OpenRuns.ts"
import type { ArrivingChunk, ChunkRefused } from "./RunChunks.ts"

const decodeLive = Schema.decodeUnknownEffect(LiveUpdate, { errors: "all" })

type NotHeld = UnknownRunnerToken | RunnerJobNotFound | RunnerJobNotInProcessingState | DatabaseUnavailable

const addsChunk = (payload: unknown): boolean =>
  typeof payload === "object" && payload !== null && "type" in payload && payload.type === "add-chunk"

/** The result of the job has arrived: what comes now is not needed (contract: update). */
const over: ReadonlySet<number> = new Set([RunnerJobState.completing, RunnerJobState.completed])

/** Takes the reports of runners, and the segments of lives that come with them. */
export class RunnerUpdates extends Context.Service<
  RunnerUpdates,
  {
    readonly receive: (
      uuid: string,
      request: HttpServerRequest
    ) => Effect.Effect<void, NotHeld | ChunkRefused | BodyRefused>
  }
>()("@kinora/node/runner/live/RunnerUpdates") {
  static readonly layer = Layer.effect(
    RunnerUpdates,
    Effect.gen(function* () {
      const access = yield* RunnerAccess
      const jobs = yield* RunnerJobs
      const runs = yield* OpenRuns

      /** Where the files of a job go: nowhere, unless it transcodes a live that is published here. */
      const open = Effect.fnUntraced(function* (
        uuid: string,
        tokens: OfHeldJob,
        field: string,
        request: HttpServerRequest
      ) {
        const { job } = yield* access.report(uuid, tokens, undefined, request)
        if (over.has(job.state)) return "over"
        if (job.state !== RunnerJobState.processing) return yield* new RunnerJobNotInProcessingState()
        if (job.type !== liveJobType) {
          return yield* refusedField(field, "Only jobs of live videos bring files while they run")
        }
        const run = runs.find(uuid)
        return run === undefined ? yield* new RunnerJobNotInProcessingState() : yield* run.arrive
      })

      const receive = Effect.fn("RunnerUpdates.receive")(function* (uuid: string, request: HttpServerRequest) {
        const scope = yield* Effect.scope
        let arriving: ArrivingChunk | "over" | undefined
        const update = yield* readUpdate<NotHeld | ChunkRefused>(
          request,
          Effect.fnUntraced(function* (tokens, field) {
            arriving ??= yield* Scope.provide(open(uuid, tokens, field, request), scope)
            return arriving === "over" ? ignored : yield* arriving.file(field)
          })
        )
        const chunks = arriving as ArrivingChunk | "over" | undefined
        if (chunks === "over") return
        if (chunks === undefined && addsChunk(update.payload)) {
          return yield* refusedField("payload[videoChunkFile]", "Is missing")
        }
        if (chunks !== undefined) {
          const live = yield* Effect.mapError(
            decodeLive(update.payload),
            ({ issue }) => new InvalidParameters({ invalidParams: invalidParamsOf(issue, "body", update.payload) })
          )
          // The node decides itself which segments leave, and when.
          if (live.type === "add-chunk") {
            yield* chunks.finish(live.videoChunkFilename, live.resolutionPlaylistFilename ?? undefined)
          }
        }
        yield* jobs.update(uuid, { tokens: update, percent: update.progress ?? undefined }, request)
      }, Effect.scoped)

      return RunnerUpdates.of({ receive })
    })
  )
}
