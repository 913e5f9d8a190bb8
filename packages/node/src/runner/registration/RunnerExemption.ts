import { RunnerJobReads } from "@kinora/storage/runner/RunnerJobReads"
import { Context, Effect, Layer, Option, Schema } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { canonicalPath, isOfRunners } from "../../platform/http/RequestPath.ts"
import { RunnerAccess } from "./RunnerAccess.ts"

/** A body with tokens and little else; longer ones are not looked into for this. */
const mostBytes = 16 * 1024

const decodeToken = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ runnerToken: Schema.String.check(Schema.isMaxLength(1000)) }))
)

/** Whether a request is one of runners with a body that says all in a few fields. */
const tellsToken = (request: HttpServerRequest): boolean =>
  (request.headers["content-type"]?.toLowerCase().startsWith("application/json") ?? false) &&
  Number(request.headers["content-length"] ?? Number.NaN) <= mostBytes &&
  isOfRunners(request.method, canonicalPath(request.url))

const form = /^\/api\/v1\/runners\/jobs\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(?:update|success)$/

/** The job a form with files is about: its tokens arrive with the files, too late to be asked for first. */
const jobOfForm = (request: HttpServerRequest): string | undefined =>
  request.method === "POST" && request.headers["content-type"]?.toLowerCase().startsWith("multipart/form-data")
    ? form.exec(canonicalPath(request.url))?.[1]
    : undefined

/**
 * Runners are let through although others behind their address are past its limit (contract: RateLimits.$bypass). Asked
 * only then: what runners ask is not counted in the first place. Forms with files are let through when they name a job
 * that is being worked on: nobody but its runner and administrators knows of it.
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
        // The text is kept for whoever decodes the request.
        const body = decodeToken(yield* request.text)
        return Option.isSome(body) && Option.isSome(yield* access.knows(body.value.runnerToken))
      })
      return RunnerExemption.of({
        isExempt: (request) => {
          const uuid = jobOfForm(request)
          if (uuid !== undefined) return Effect.orElseSucceed(jobs.isBusy(uuid), () => false)
          return tellsToken(request) ? Effect.orElseSucceed(shown(request), () => false) : Effect.succeed(false)
        }
      })
    })
  )
}
