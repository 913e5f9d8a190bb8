import {
  InvalidClient,
  InvalidGrant,
  InvalidOAuthRequest,
  TokenServerError,
  UnauthorizedClient,
  UnsupportedGrantType
} from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { OAuthToken } from "@kinora/domain/wire/Session"
import { LoginRows } from "@kinora/storage/people/session/LoginRows"
import { type OAuthClient, OAuthClients } from "@kinora/storage/people/session/OAuthClients"
import { type NewTokens, TokenRows } from "@kinora/storage/people/session/TokenRows"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { timingSafeEqual } from "node:crypto"
import { KinoraConfig } from "../../platform/config/Config.ts"
import type { Origin } from "../session/AccessTokens.ts"
import { PasswordGrant, type PasswordGrantError } from "./PasswordGrant.ts"
import { newToken } from "../session/RandomText.ts"
import { hashToken, isTokenShaped } from "../session/TokenHash.ts"

/** The fields of a token request. The client's credentials may come in the body or by HTTP Basic. */
export interface TokenRequest {
  readonly client_id?: string | undefined
  readonly client_secret?: string | undefined
  readonly grant_type?: string | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly refresh_token?: string | undefined
  readonly externalAuthToken?: string | undefined
}

export type GrantError =
  | UnsupportedGrantType
  | InvalidClient
  | UnauthorizedClient
  | TokenServerError
  | Exclude<PasswordGrantError, DatabaseUnavailable | ServiceUnavailable>

const missing = (field: string) => new InvalidOAuthRequest({ reason: `The field ${field} is missing` })

const sameText = (a: string, b: string): boolean => timingSafeEqual(hashToken(a), hashToken(b))

const unavailable = () => Effect.fail(new TokenServerError())

/** The token endpoint (contract: getOAuthToken; RFC 6749, 4.3 and 6). */
export class OAuthGrants extends Context.Service<
  OAuthGrants,
  {
    readonly client: Effect.Effect<OAuthClient, DatabaseUnavailable>
    /** `oneTimeCode`: the code of the second factor, from its header. */
    readonly grant: (
      request: TokenRequest,
      oneTimeCode: string | undefined,
      origin: Origin
    ) => Effect.Effect<OAuthToken, GrantError>
  }
>()("@kinora/node/sessions/OAuthGrants") {
  static readonly layer = Layer.effect(
    OAuthGrants,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const clients = yield* OAuthClients
      const tokens = yield* TokenRows
      const logins = yield* LoginRows
      const passwords = yield* PasswordGrant
      const lifetime = config.oauth2.token_lifetime
      const accessSeconds = Math.floor(Duration.toSeconds(lifetime.access_token))
      const refreshSeconds = Math.floor(Duration.toSeconds(lifetime.refresh_token))

      const newPair = (origin: Origin): { readonly answer: OAuthToken; readonly rows: NewTokens } => {
        const access = newToken()
        const refresh = newToken()
        return {
          answer: {
            token_type: "Bearer",
            access_token: access,
            refresh_token: refresh,
            // Whole seconds that certainly remain, as in the contract's samples.
            expires_in: accessSeconds - 1,
            refresh_token_expires_in: refreshSeconds - 1
          },
          rows: {
            accessHash: hashToken(access),
            refreshHash: hashToken(refresh),
            accessSeconds,
            refreshSeconds,
            ...origin
          }
        }
      }

      const clientOf = Effect.fnUntraced(function* (request: TokenRequest, grant: string) {
        const client = yield* clients.local
        const idIsRight = sameText(request.client_id ?? "", client.clientId)
        const secretIsRight = sameText(request.client_secret ?? "", client.clientSecret)
        if (!idIsRight || !secretIsRight) return yield* new InvalidClient()
        if (!client.grants.includes(grant)) return yield* new UnauthorizedClient()
        return client
      })

      const byPassword = Effect.fnUntraced(function* (
        client: OAuthClient,
        request: TokenRequest,
        oneTimeCode: string | undefined,
        origin: Origin
      ) {
        const { externalAuthToken, password, username } = request
        const user = yield* passwords.login({ username, password, externalAuthToken, oneTimeCode, ip: origin.ip })
        const pair = newPair(origin)
        if (!(yield* tokens.insert(client.id, user, pair.rows))) return yield* new InvalidGrant({ what: "credentials" })
        yield* logins.loggedIn(user.id)
        return pair.answer
      })

      const byRefreshToken = Effect.fnUntraced(function* (client: OAuthClient, request: TokenRequest, origin: Origin) {
        const refresh = request.refresh_token
        if (refresh === undefined || refresh === "") return yield* missing("refresh_token")
        if (!isTokenShaped(refresh)) return yield* new InvalidGrant({ what: "refresh_token" })
        const pair = newPair(origin)
        const hash = hashToken(refresh)
        if (Option.isSome(yield* tokens.rotate(client.id, hash, pair.rows))) return pair.answer
        const ended = yield* tokens.endReused(hash)
        if (Option.isSome(ended)) {
          yield* Effect.logWarning(`A refresh token was used twice. Session ${ended.value} of its owner was revoked.`)
        }
        return yield* new InvalidGrant({ what: "refresh_token" })
      })

      const grant = Effect.fn("OAuthGrants.grant")(
        function* (request: TokenRequest, oneTimeCode: string | undefined, origin: Origin) {
          const type = request.grant_type
          if (type === undefined || type === "") return yield* missing("grant_type")
          if (type !== "password" && type !== "refresh_token") return yield* new UnsupportedGrantType()
          const client = yield* clientOf(request, type)
          return type === "password"
            ? yield* byPassword(client, request, oneTimeCode, origin)
            : yield* byRefreshToken(client, request, origin)
        },
        Effect.catchTags({ DatabaseUnavailable: unavailable, ServiceUnavailable: unavailable })
      )

      return OAuthGrants.of({ client: clients.local, grant })
    })
  )
}
