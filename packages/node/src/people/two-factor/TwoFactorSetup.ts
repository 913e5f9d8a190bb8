import { UserNotFound } from "@kinora/domain/errors/ActorErrors"
import {
  CurrentPasswordForbidden,
  Forbidden,
  type PasswordConfirmationRequired
} from "@kinora/domain/errors/AuthErrors"
import { BadRequest, InvalidParameters, type RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { TwoFactorRequest } from "@kinora/domain/wire/TwoFactor"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { TwoFactorRows } from "@kinora/storage/people/two-factor/TwoFactorRows"
import { OneTimeTokens } from "@kinora/storage/people/user/OneTimeTokens"
import { Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AuditTrail, unaudited } from "../../platform/audit/AuditTrail.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { isRoot, mayOnUser, type UserAction } from "../rights/UserRights.ts"
import { AccessTokens } from "../session/AccessTokens.ts"
import { CurrentPassword } from "../session/CurrentPassword.ts"
import { newLinkToken } from "../session/RandomText.ts"
import { PasswordConfirmation } from "../session/PasswordConfirmation.ts"
import { hashToken } from "../session/TokenHash.ts"
import { keyUri } from "./Totp.ts"
import { TwoFactor } from "./TwoFactor.ts"
import { TwoFactorSecrets } from "./TwoFactorSecrets.ts"

/** Contract: enums.json, Lifetimes, twoFactorRequestToken. */
const requestLifetime = Duration.minutes(10)

const Payload = Schema.Struct({ sealed: Schema.String })
const decodePayload = Schema.decodeUnknownOption(Payload)

type NotPermitted = UserNotFound | Forbidden | DatabaseUnavailable
type Unconfirmed =
  | NotPermitted
  | PasswordConfirmationRequired
  | InvalidParameters
  | CurrentPasswordForbidden
  | RateLimited
  | ServiceUnavailable

const alreadyOn = () => new BadRequest({ reason: "Two-factor authentication is already enabled" })

/**
 * Switches a user's second factor on and off. Switching it on takes two steps: a request makes the secret and a token
 * (valid 10 minutes, one at a time), and a code made with the secret confirms it. That code then counts as used.
 *
 * Switching a factor on ends the user's other sessions, since they began without it. Switching it off ends none.
 *
 * Users do this to themselves, with their current password, and administrators to others.
 */
export class TwoFactorSetup extends Context.Service<
  TwoFactorSetup,
  {
    readonly request: (
      asker: CurrentUserShape,
      userId: number,
      password: string | undefined
    ) => Effect.Effect<TwoFactorRequest, Unconfirmed | BadRequest>
    /** The session of the request stays. After a wrong code the request can be confirmed again. */
    readonly confirm: (
      asker: CurrentUserShape,
      userId: number,
      requestToken: string,
      code: string
    ) => Effect.Effect<void, NotPermitted | BadRequest | RateLimited>
    readonly disable: (
      asker: CurrentUserShape,
      userId: number,
      password: string | undefined
    ) => Effect.Effect<void, Unconfirmed | BadRequest>
  }
>()("@kinora/node/twofactor/TwoFactorSetup") {
  static readonly layer = Layer.effect(
    TwoFactorSetup,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const sql = yield* SqlClient
      const rows = yield* TwoFactorRows
      const tokens = yield* OneTimeTokens
      const sessions = yield* AccessTokens
      const secrets = yield* TwoFactorSecrets
      const twoFactor = yield* TwoFactor
      const passwords = yield* CurrentPassword
      const audit = yield* AuditTrail
      const confirmation = yield* PasswordConfirmation

      const permitted = Effect.fnUntraced(function* (asker: CurrentUserShape, action: UserAction, userId: number) {
        const target = yield* rows.of(userId)
        if (Option.isNone(target)) return yield* new UserNotFound()
        if (!mayOnUser(asker, action, { id: userId, role: target.value.role, isRoot: isRoot(target.value) })) {
          return yield* new Forbidden({
            reason: "Only the user can do this, or an administrator where it is about others"
          })
        }
      })

      const confirmed = Effect.fnUntraced(function* (
        asker: CurrentUserShape,
        action: UserAction,
        userId: number,
        password: string | undefined
      ) {
        yield* permitted(asker, action, userId)
        if (asker.id !== userId) return yield* confirmation.require(asker)
        if (password === undefined || password === "") {
          return yield* InvalidParameters.one("currentPassword", "Must be given", "body")
        }
        if (!(yield* passwords.check(userId, password))) return yield* new CurrentPasswordForbidden()
      })

      /** Adds the entry of what an administrator does to somebody else. */
      const around = (asker: CurrentUserShape, userId: number, action: string) =>
        asker.id === userId
          ? unaudited
          : audit.around(asker, {
              domain: "two-factor",
              action,
              target: { userId },
              values: Effect.map(
                rows.of(userId),
                Option.match({
                  onNone: () => undefined,
                  onSome: ({ sealed, username }) => ({ username, enabled: sealed !== null })
                })
              )
            })

      const request = Effect.fn("TwoFactorSetup.request")(function* (
        asker: CurrentUserShape,
        userId: number,
        password: string | undefined
      ) {
        yield* confirmed(asker, "enableTwoFactor", userId, password)
        const user = yield* rows.of(userId)
        if (Option.isNone(user)) return yield* new UserNotFound()
        if (user.value.sealed !== null) return yield* alreadyOn()
        const { sealed, text } = yield* secrets.make
        const requestToken = newLinkToken()
        yield* tokens.issue({
          hash: hashToken(requestToken),
          purpose: "two-factor",
          owner: { _tag: "User", userId },
          lifetimeSeconds: Duration.toSeconds(requestLifetime),
          atOnce: 1,
          payload: { sealed }
        })
        return { requestToken, secret: text, uri: keyUri(config.instance.name, user.value.username, text) }
      })

      const enable = Effect.fnUntraced(
        function* (userId: number, requestHash: Uint8Array, sealed: string, step: number, tokenId: number) {
          // Used up here and not where the code was compared: if two requests confirm at once, one succeeds.
          const taken = yield* tokens.take(requestHash, "two-factor", { _tag: "User", userId })
          if (Option.isNone(taken)) return yield* new Forbidden({ reason: "This request was confirmed already" })
          if (!(yield* rows.enable(userId, sealed, step))) return yield* alreadyOn()
          yield* sessions.revokeAll(userId, tokenId)
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const confirm = Effect.fn("TwoFactorSetup.confirm")(function* (
        asker: CurrentUserShape,
        userId: number,
        requestToken: string,
        code: string
      ) {
        yield* permitted(asker, "enableTwoFactor", userId)
        const hash = hashToken(requestToken)
        const payload = Option.flatMap(yield* tokens.read(hash, "two-factor", { _tag: "User", userId }), decodePayload)
        if (Option.isNone(payload)) {
          return yield* new Forbidden({ reason: "This two-factor request is invalid or has expired" })
        }
        const { sealed } = payload.value
        const step = yield* twoFactor.stepOf(userId, sealed, code)
        if (Option.isNone(step)) return yield* new Forbidden({ reason: "The one-time code is wrong" })
        const enabled = enable(userId, hash, sealed, step.value, asker.tokenId)
        yield* around(asker, userId, "enable")(enabled)
      })

      const disable = Effect.fn("TwoFactorSetup.disable")(function* (
        asker: CurrentUserShape,
        userId: number,
        password: string | undefined
      ) {
        yield* confirmed(asker, "disableTwoFactor", userId, password)
        if (!(yield* around(asker, userId, "disable")(rows.disable(userId)))) {
          return yield* new BadRequest({ reason: "Two-factor authentication is not enabled" })
        }
      })

      return TwoFactorSetup.of({ request, confirm, disable })
    })
  )
}
