import {
  AccountBlocked,
  EmailNotVerified,
  InvalidClient,
  InvalidGrant,
  InvalidOAuthRequest,
  TooLongPassword,
  UnauthorizedClient,
  UnsupportedGrantType
} from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { OAuthToken } from "@kinora/domain/wire/Session"
import { type OAuthClient, OAuthClients } from "@kinora/storage/sessions/OAuthClients"
import { type NewTokens, TokenRows } from "@kinora/storage/sessions/TokenRows"
import { UserRows } from "@kinora/storage/users/UserRows"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { timingSafeEqual } from "node:crypto"
import { KinoraConfig } from "../config/Config.ts"
import type { Origin } from "./AccessTokens.ts"
import { isTooLong, Passwords } from "./Passwords.ts"
import { newToken } from "./RandomText.ts"
import { hashToken, isTokenShaped } from "./TokenHash.ts"

/** The fields of a token request; the client's credentials may have come in the body or by HTTP Basic. */
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
  | InvalidOAuthRequest
  | UnsupportedGrantType
  | InvalidClient
  | UnauthorizedClient
  | InvalidGrant
  | TooLongPassword
  | AccountBlocked
  | EmailNotVerified
  | DatabaseUnavailable

/** Longer than any user name or mail address. */
const longestLogin = 320

const missing = (field: string) => new InvalidOAuthRequest({ reason: `The field ${field} is missing` })

const sameText = (a: string, b: string): boolean => {
  const left = hashToken(a)
  const right = hashToken(b)
  return timingSafeEqual(left, right)
}

/** Text that can name a user: the database takes neither U+0000 nor lone surrogates. */
const canNameUser = (text: string): boolean =>
  text.length <= longestLogin && !text.includes("\u0000") && text.isWellFormed()

/**
 * The token endpoint (contract: getOAuthToken; RFC 6749, 4.3 and 6). Refused requests tell nothing about which users
 * exist: an unknown name takes as long as a wrong password.
 */
export class OAuthGrants extends Context.Service<
  OAuthGrants,
  {
    readonly client: Effect.Effect<OAuthClient, DatabaseUnavailable>
    readonly grant: (request: TokenRequest, origin: Origin) => Effect.Effect<OAuthToken, GrantError>
  }
>()("@kinora/node/sessions/OAuthGrants") {
  static readonly layer = Layer.effect(
    OAuthGrants,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const clients = yield* OAuthClients
      const tokens = yield* TokenRows
      const users = yield* UserRows
      const passwords = yield* Passwords
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
            // Whole seconds that are surely left, as the contract's samples have it.
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

      const byPassword = Effect.fnUntraced(function* (client: OAuthClient, request: TokenRequest, origin: Origin) {
        if (request.externalAuthToken !== undefined) return yield* new InvalidGrant({ what: "external" })
        const { password, username } = request
        if (username === undefined || username === "") return yield* missing("username")
        if (password === undefined || password === "") return yield* missing("password")
        if (isTooLong(password)) return yield* new TooLongPassword()
        const user = canNameUser(username) ? yield* users.forLogin(username) : Option.none()
        const isRight = yield* passwords.verify(password, Option.getOrUndefined(user)?.passwordHash)
        if (!isRight || Option.isNone(user)) return yield* new InvalidGrant({ what: "credentials" })
        if (user.value.blocked) return yield* new AccountBlocked()
        if (config.signup.requires_email_verification && user.value.emailVerified === false) {
          return yield* new EmailNotVerified()
        }
        const pair = newPair(origin)
        yield* tokens.insert(client.id, user.value.id, pair.rows)
        yield* users.loggedIn(user.value.id)
        return pair.answer
      })

      const byRefreshToken = Effect.fnUntraced(function* (client: OAuthClient, request: TokenRequest, origin: Origin) {
        const refresh = request.refresh_token
        if (refresh === undefined || refresh === "") return yield* missing("refresh_token")
        const pair = newPair(origin)
        const user = isTokenShaped(refresh)
          ? yield* tokens.rotate(client.id, hashToken(refresh), pair.rows)
          : Option.none()
        if (Option.isNone(user)) return yield* new InvalidGrant({ what: "refresh_token" })
        return pair.answer
      })

      const grants = { password: byPassword, refresh_token: byRefreshToken }

      const grant = Effect.fn("OAuthGrants.grant")(function* (request: TokenRequest, origin: Origin) {
        const type = request.grant_type
        if (type === undefined || type === "") return yield* missing("grant_type")
        if (type !== "password" && type !== "refresh_token") return yield* new UnsupportedGrantType()
        const client = yield* clientOf(request, type)
        return yield* grants[type](client, request, origin)
      })

      return OAuthGrants.of({ client: clients.local, grant })
    })
  )
}
