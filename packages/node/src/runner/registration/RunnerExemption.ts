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

/**
 * Runners are let through although others behind their address are past its limit (contract: RateLimits.$bypass). Asked
 * only then: what runners ask is not counted in the first place.
 */
export class RunnerExemption extends Context.Service<
  RunnerExemption,
  { readonly isExempt: (request: HttpServerRequest) => Effect.Effect<boolean> }
>()("@kinora/node/runners/RunnerExemption") {
  static readonly layer = Layer.effect(
    RunnerExemption,
    Effect.gen(function* () {
      const access = yield* RunnerAccess
      const shown = Effect.fnUntraced(function* (request: HttpServerRequest) {
        // The text is kept for whoever decodes the request.
        const body = decodeToken(yield* request.text)
        return Option.isSome(body) && Option.isSome(yield* access.knows(body.value.runnerToken))
      })
      return RunnerExemption.of({
        isExempt: (request) =>
          tellsToken(request) ? Effect.orElseSucceed(shown(request), () => false) : Effect.succeed(false)
      })
    })
  )
}
