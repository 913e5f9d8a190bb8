import { Api } from "@kinora/domain/api/Api"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect, Option, Result } from "effect"
import { Base64 } from "effect/encoding"
import { HttpApiBuilder } from "effect/http-api"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { answer, json } from "../http/Answer.ts"
import { AccessTokens, originOf } from "./AccessTokens.ts"
import { OAuthGrants, type TokenRequest } from "./OAuthGrants.ts"

const basic = /^basic +([A-Za-z0-9+/=]+) *$/i

/** Client id and secret sent by HTTP Basic (RFC 6749, 2.3.1); those of the body win. */
const withBasicClient = (request: TokenRequest, authorization: string | undefined): TokenRequest => {
  const encoded = authorization === undefined ? undefined : basic.exec(authorization)?.[1]
  if (encoded === undefined || request.client_id !== undefined) return request
  const text = Result.getOrElse(Base64.decodeString(encoded), () => "")
  const colon = text.indexOf(":")
  return colon === -1 ? request : { ...request, client_id: text.slice(0, colon), client_secret: text.slice(colon + 1) }
}

const requestOrigin = (request: HttpServerRequest) =>
  originOf(request.headers["user-agent"], Option.getOrUndefined(request.remoteAddress))

const notStored = { headers: { "cache-control": "no-store", pragma: "no-cache" } }

/** Logging in and out. */
export const layer = HttpApiBuilder.group(
  Api,
  "session",
  Effect.fnUntraced(function* (handlers) {
    const grants = yield* OAuthGrants
    const tokens = yield* AccessTokens
    return handlers.handleAll({
      getOAuthClient: () =>
        answer(
          Effect.map(grants.client, (client) => ({ client_id: client.clientId, client_secret: client.clientSecret }))
        ),
      getOAuthToken: ({ payload, request }) =>
        answer(
          Effect.map(
            grants.grant(withBasicClient(payload, request.headers["authorization"]), requestOrigin(request)),
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
        )
    })
  })
)
