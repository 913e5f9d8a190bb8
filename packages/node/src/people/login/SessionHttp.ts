import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { defaultPage } from "@kinora/domain/requests/Pagination"
import { Effect, Result } from "effect"
import { Base64 } from "effect/encoding"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type Answers, answer, json } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { AccessTokens } from "../session/AccessTokens.ts"
import { requestOrigin } from "../session/AuthenticationLayer.ts"
import { makeClientHost } from "../session/ClientHost.ts"
import { OAuthGrants, type TokenRequest } from "./OAuthGrants.ts"
import { PasswordConfirmation } from "../session/PasswordConfirmation.ts"
import { Sessions } from "../session/Sessions.ts"

const basic = /^basic +([A-Za-z0-9+/=]+) *$/i

/** Client id and secret sent by HTTP Basic (RFC 6749, 2.3.1). Those in the body take precedence. */
const withBasicClient = (request: TokenRequest, authorization: string | undefined): TokenRequest => {
  const encoded = authorization === undefined ? undefined : basic.exec(authorization)?.[1]
  if (encoded === undefined || request.client_id !== undefined) return request
  const text = Result.getOrElse(Base64.decodeString(encoded), () => "")
  const colon = text.indexOf(":")
  return colon === -1 ? request : { ...request, client_id: text.slice(0, colon), client_secret: text.slice(colon + 1) }
}

const notStored = { headers: { "cache-control": "no-store", pragma: "no-cache" } }

/** Login, logout, and the sessions of the user. */
export const layer = apiGroup(
  "session",
  Effect.fnUntraced(function* (handlers) {
    const grants = yield* OAuthGrants
    const tokens = yield* AccessTokens
    const sessions = yield* Sessions
    const confirmation = yield* PasswordConfirmation
    const clientForbidden = makeClientHost(yield* KinoraConfig)
    return handlers.handleAll({
      getOAuthClient: ({ request }) =>
        answer(
          Effect.gen(function* () {
            const forbidden = clientForbidden(request.headers["host"])
            if (forbidden !== undefined) return yield* forbidden
            const { clientId, clientSecret } = yield* grants.client
            return { client_id: clientId, client_secret: clientSecret }
          })
        ),
      getOAuthToken: ({ headers, payload, request }) =>
        answer(
          Effect.map(
            grants.grant(
              withBasicClient(payload, request.headers["authorization"]),
              headers["x-peertube-otp"] ?? headers["x-service-otp"],
              requestOrigin(request)
            ),
            (token) => json(token, notStored)
          )
        ),
      revokeOAuthToken: () =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            yield* tokens.revoke(user.tokenId)
            return {}
          })
        ),
      confirmMyPassword: ({ payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => confirmation.confirm(user, payload.currentPassword))),
      getUsersTokenSessions: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const { count, sort, start } = { ...defaultPage, ...query }
            const user = yield* CurrentUser
            return yield* sessions.list(user, params.id, { start, count, descending: sort?.descending ?? true })
          })
        ),
      postUsersTokenSessionsRevoke: ({ params }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            yield* sessions.revoke(user, params.id, params.tokenSessionId)
            return {}
          })
        )
    } satisfies Answers<"session">)
  })
)
