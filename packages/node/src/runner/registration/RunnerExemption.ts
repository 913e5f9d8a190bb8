import { RunnerJobReads } from "@kinora/storage/runner/RunnerJobReads"
import { Context, Effect, Layer, Option, Schema } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { canonicalPath, isOfRunners } from "../../platform/http/RequestPath.ts"
import { RunnerAccess } from "./RunnerAccess.ts"

/** A body with tokens and little else. Longer ones are not parsed for this. */
const maxBytes = 16 * 1024

const decodeToken = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ runnerToken: Schema.String.check(Schema.isMaxLength(1000)) }))
)

/** Whether this is a runner request whose body is a few fields. */
const carriesToken = (request: HttpServerRequest): boolean =>
  (request.headers["content-type"]?.toLowerCase().startsWith("application/json") ?? false) &&
  Number(request.headers["content-length"] ?? Number.NaN) <= maxBytes &&
  isOfRunners(request.method, canonicalPath(request.url))

const form = /^\/api\/v1\/runners\/jobs\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(?:update|success)$/

/**
 * The job that an upload form is for. The tokens in such a form arrive with the files, too late to be checked first.
 */
const jobOfForm = (request: HttpServerRequest): string | undefined =>
  request.method === "POST" && request.headers["content-type"]?.toLowerCase().startsWith("multipart/form-data")
    ? form.exec(canonicalPath(request.url))?.[1]
    : undefined

/**
 * Exempts runners from rate limits, even if other clients behind their address are past its limit (contract:
 * RateLimits.$bypass). Checked only for clients past their limit: requests of runners are not counted. Upload forms are
 * exempt if they name a job in progress: only its runner and administrators know of it.
 */
export class RunnerExemption extends Context.Service<
  RunnerExemption,
  { readonly isExempt: (request: HttpServerRequest) => Effect.Effect<boolean> }
>()("@kinora/node/runners/RunnerExemption") {
  static readonly layer = Layer.effect(
    RunnerExemption,
    Effect.gen(function* () {
      const access = yield* RunnerAccess
      const jobs = yield* RunnerJobReads
      const shown = Effect.fnUntraced(function* (request: HttpServerRequest) {
        // The text is kept for the handler that decodes the request.
        const body = decodeToken(yield* request.text)
        return Option.isSome(body) && Option.isSome(yield* access.knows(body.value.runnerToken))
      })
      return RunnerExemption.of({
        isExempt: (request) => {
          const uuid = jobOfForm(request)
          if (uuid !== undefined) return Effect.orElseSucceed(jobs.isBusy(uuid), () => false)
          return carriesToken(request) ? Effect.orElseSucceed(shown(request), () => false) : Effect.succeed(false)
        }
      })
    })
  )
}
