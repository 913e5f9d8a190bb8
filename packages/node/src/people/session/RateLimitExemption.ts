import { UserRole } from "@kinora/domain/enums/UserRole"
import { Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { AccessTokens } from "./AccessTokens.ts"
import { viewerOf } from "./AuthenticationLayer.ts"

/**
 * Users exempt from rate limits (contract: enums.json, RateLimits.$bypass): administrators and moderators. Checked only
 * for clients past their limit.
 */
export class RateLimitExemption extends Context.Service<
  RateLimitExemption,
  { readonly isExempt: (request: HttpServerRequest) => Effect.Effect<boolean> }
>()("@kinora/node/sessions/RateLimitExemption") {
  static readonly layer = Layer.effect(
    RateLimitExemption,
    Effect.gen(function* () {
      const tokens = yield* AccessTokens
      const isExempt = (request: HttpServerRequest) =>
        Effect.match(viewerOf(tokens, request), {
          onFailure: () => false,
          onSuccess: (user) => Option.isSome(user) && user.value.role !== UserRole.user
        })
      return RateLimitExemption.of({ isExempt })
    })
  )
}
