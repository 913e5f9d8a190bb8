import { Authenticated, MaybeAuthenticated } from "@kinora/domain/api/Authentication"
import { Docs } from "@kinora/domain/api/Documentation"
import { hasRight } from "@kinora/domain/enums/UserRight"
import type { ProblemError } from "@kinora/domain/errors/ProblemError"
import { Forbidden, UnauthorizedRequest } from "@kinora/domain/errors/AuthErrors"
import { CurrentUser, type CurrentUserShape, Viewer } from "@kinora/domain/users/CurrentUser"
import { Cause, Context, Effect, Layer, Option, Result } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { failureResponse } from "../../platform/http/Problem.ts"
import { AccessTokens, originOf } from "./AccessTokens.ts"
import { refuseTokenInBody, tokenOfRequest } from "./Bearer.ts"

/** The origin of a request, as its session records it. */
export const requestOrigin = (request: HttpServerRequest) =>
  originOf(request.headers["user-agent"], Option.getOrUndefined(request.remoteAddress))

/** The user of a request's access token; none without a token. Reads only the head of the request. */
export const viewerOf = Effect.fnUntraced(function* (tokens: AccessTokens["Service"], request: HttpServerRequest) {
  const token = tokenOfRequest(request)
  if (Result.isFailure(token)) return yield* Effect.fail(token.failure)
  if (Option.isNone(token.success)) return Option.none<CurrentUserShape>()
  return Option.some(yield* tokens.authenticate(token.success.value, () => requestOrigin(request)))
})

/** The same for a request whose body is read completely. */
const viewerOfWhole = (tokens: AccessTokens["Service"], request: HttpServerRequest) =>
  Effect.tap(viewerOf(tokens, request), (user) => (Option.isSome(user) ? refuseTokenInBody(request) : Effect.void))

const refuse = (error: ProblemError) => failureResponse(Cause.fail(error))

const anonymous = { user: Option.none<CurrentUserShape>() }

/** Refuses users who lack the right that the endpoint declares, before anything of the request is decoded. */
const lacksRight = (endpoint: HttpApiEndpoint.Top, user: CurrentUserShape): Forbidden | undefined => {
  const right = Context.getOrUndefined(endpoint.annotations, Docs)?.right
  return right === undefined || hasRight(user.role, right)
    ? undefined
    : new Forbidden({ reason: `User ${user.username} does not have the right ${right}` })
}

const authenticated = Layer.effect(
  Authenticated,
  Effect.gen(function* () {
    const tokens = yield* AccessTokens
    return Authenticated.of((httpEffect, { endpoint }) =>
      Effect.flatMap(HttpServerRequest, (request) =>
        Effect.matchEffect(viewerOfWhole(tokens, request), {
          onFailure: refuse,
          onSuccess: (user) => {
            if (Option.isNone(user)) return refuse(new UnauthorizedRequest())
            const forbidden = lacksRight(endpoint, user.value)
            return forbidden === undefined
              ? Effect.provideService(httpEffect, CurrentUser, user.value)
              : refuse(forbidden)
          }
        })
      )
    )
  })
)

const maybeAuthenticated = Layer.effect(
  MaybeAuthenticated,
  Effect.gen(function* () {
    const tokens = yield* AccessTokens
    return MaybeAuthenticated.of((httpEffect) =>
      Effect.flatMap(HttpServerRequest, (request) =>
        Effect.matchEffect(viewerOfWhole(tokens, request), {
          onFailure: refuse,
          onSuccess: (user) => Effect.provideService(httpEffect, Viewer, Option.isNone(user) ? anonymous : { user })
        })
      )
    )
  })
)

/** Implementations of the API's `Authenticated` and `MaybeAuthenticated`. Both decide before anything is decoded. */
export const layer = Layer.merge(authenticated, maybeAuthenticated)
