import { RunnerJobState } from "@kinora/domain/enums/RunnerJobState"
import { madeRunnerJobTypes } from "@kinora/domain/enums/RunnerJobType"
import {
  type BadRequest,
  InvalidParameters,
  type RequestTimeout,
  UnsupportedContentType
} from "@kinora/domain/errors/RequestErrors"
import {
  type RunnerJobNotFound,
  RunnerJobNotInProcessingState,
  RunnerJobTypeUnsupported,
  type UnknownRunnerToken
} from "@kinora/domain/errors/RunnerErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { invalidParamsOf } from "@kinora/domain/errors/InvalidParams"
import { OfHeldJob } from "@kinora/domain/requests/RunnerRequests"
import type { ReportedJob } from "@kinora/storage/runner/RunnerCalls"
import { RunnerJobBoard } from "@kinora/storage/runner/RunnerJobBoard"
import { Clock, Context, Duration, Effect, Layer, Schema, Scope } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type FileSink, readMultipart } from "../../platform/body/MultipartBody.ts"
import { bodyOf } from "../../platform/body/RequestBody.ts"
import { bodyTimeLimits, timedBody } from "../../platform/body/TimedBody.ts"
import { type Held, RunnerAccess } from "../registration/RunnerAccess.ts"
import { type Arriving, type ResultRefused, RunnerResults } from "./RunnerResults.ts"

const decodeTokens = Schema.decodeUnknownEffect(OfHeldJob, { errors: "all" })

/**
 * Maximum milliseconds between two lease renewals while a result arrives: the sender reports nothing else meanwhile.
 */
const maxQuietMillis = 10_000

type NotHeld =
  | UnknownRunnerToken
  | RunnerJobNotFound
  | RunnerJobNotInProcessingState
  | RunnerJobTypeUnsupported
  | DatabaseUnavailable

/** Receives results from runners. */
export class RunnerSuccess extends Context.Service<
  RunnerSuccess,
  {
    /**
     * Reads a result as it arrives. The tokens are checked when the first file begins, before any of it is written:
     * uploads from others, or too late, never reach the disk. A refused result leaves the job unchanged.
     */
    readonly receive: (
      uuid: string,
      request: HttpServerRequest
    ) => Effect.Effect<void, NotHeld | ResultRefused | UnsupportedContentType>
  }
>()("@kinora/node/runners/RunnerSuccess") {
  static readonly layer = Layer.effect(
    RunnerSuccess,
    Effect.gen(function* () {
      const access = yield* RunnerAccess
      const board = yield* RunnerJobBoard
      const results = yield* RunnerResults
      const lease = (yield* KinoraConfig).remote_runners.stalled_jobs.vod
      const quiet = Math.min(maxQuietMillis, Duration.toMillis(Duration.fromInputUnsafe(lease)) / 4)

      const renew = Effect.fnUntraced(function* ({ job, tokenHash }: Held<ReportedJob>) {
        if (!(yield* board.report(job.id, tokenHash, undefined, lease)))
          return yield* new RunnerJobNotInProcessingState()
      })

      /** Renews the lease while the file arrives. If the job is lost, the rest of the upload is refused. */
      const living = Effect.fnUntraced(function* (held: Held<ReportedJob>, sink: FileSink<ResultRefused>) {
        let renewedAt = yield* Clock.currentTimeMillis
        const write = Effect.fnUntraced(function* (chunk: Uint8Array) {
          const now = yield* Clock.currentTimeMillis
          if (now - renewedAt > quiet) {
            renewedAt = now
            yield* renew(held)
          }
          yield* sink.write(chunk)
        })
        return { write, end: sink.end } satisfies FileSink<NotHeld | ResultRefused>
      })

      const tokensOf = (fields: Readonly<Record<string, string>>) =>
        Effect.mapError(
          decodeTokens(fields),
          ({ issue }) => new InvalidParameters({ invalidParams: invalidParamsOf(issue, "body", fields) })
        )

      const receive = Effect.fn("RunnerSuccess.receive")(function* (uuid: string, request: HttpServerRequest) {
        const contentType = (request.headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase()
        if (contentType !== "multipart/form-data") return yield* new UnsupportedContentType({ contentType })
        const scope = yield* Effect.scope
        const fields: Record<string, string> = {}
        let begun: { readonly held: Held<ReportedJob>; readonly arriving: Arriving } | undefined

        const open = Effect.gen(function* () {
          if (begun !== undefined) return begun
          const held = yield* access.report(uuid, yield* tokensOf(fields), undefined, request)
          if (held.job.state !== RunnerJobState.processing) return yield* new RunnerJobNotInProcessingState()
          const type = madeRunnerJobTypes.find((one) => one === held.job.type)
          if (type === undefined) return yield* new RunnerJobTypeUnsupported({ type: held.job.type })
          begun = { held, arriving: yield* results.begin(type) }
          return begun
        }).pipe(Effect.provideService(Scope.Scope, scope))

        const { next } = yield* timedBody(bodyOf(request), bodyTimeLimits)
        yield* readMultipart<BadRequest | RequestTimeout, NotHeld | ResultRefused>({
          headers: request.headers,
          next,
          onBytes: Effect.void,
          onFile: ({ name }) =>
            Effect.flatMap(open, ({ arriving, held }) =>
              Effect.flatMap(arriving.file(name), (sink) => living(held, sink))
            ),
          onField: (name, value) => void (fields[name] = value)
        })
        const { arriving, held } = yield* open
        const result = yield* arriving.finish
        if (!(yield* board.complete(held.job.id, held.tokenHash, result))) {
          yield* results.remove(result)
          return yield* new RunnerJobNotInProcessingState()
        }
        yield* Effect.logInfo(`Runner ${held.runner.name} has finished job ${uuid} (${held.job.type})`)
      }, Effect.scoped)

      return RunnerSuccess.of({ receive })
    })
  )
}
