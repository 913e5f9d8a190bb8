import {
  AccountApprovalRejected,
  AccountBlocked,
  AccountWaitingForApproval,
  EmailNotVerified,
  InvalidGrant,
  InvalidOAuthRequest,
  type InvalidTwoFactor,
  type MissingTwoFactor,
  TooLongPassword
} from "@kinora/domain/errors/AuthErrors"
import type { RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { hasLookAlike } from "@kinora/domain/fields/Values"
import { LoginRows, type LoginSubject } from "@kinora/storage/people/session/LoginRows"
import { Context, Effect, Layer, Option } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { TwoFactor } from "../two-factor/TwoFactor.ts"
import { LoginLockout } from "./LoginLockout.ts"
import { isOutdated } from "../session/PasswordHash.ts"
import { isTooLong, Passwords } from "../session/Passwords.ts"

/** The input of a login. */
export interface Credentials {
  readonly username: string | undefined
  readonly password: string | undefined
  readonly externalAuthToken: string | undefined
  readonly oneTimeCode: string | undefined
  readonly ip: string | null
}

/** A user, and the hash of the right password. */
export interface LoggedIn {
  readonly id: number
  readonly passwordHash: string
}

export type PasswordGrantError =
  | InvalidOAuthRequest
  | InvalidGrant
  | TooLongPassword
  | AccountBlocked
  | EmailNotVerified
  | AccountWaitingForApproval
  | AccountApprovalRejected
  | MissingTwoFactor
  | InvalidTwoFactor
  | RateLimited
  | ServiceUnavailable
  | DatabaseUnavailable

/** Longer than any username or email address. */
const longestLogin = 320

/** Text that can name a user: the database takes neither U+0000 nor lone surrogates. */
const canNameUser = (text: string): boolean =>
  text.length <= longestLogin && !text.includes("\u0000") && text.isWellFormed() && !hasLookAlike(text)

const missing = (field: string) => new InvalidOAuthRequest({ reason: `The field ${field} is missing` })

/**
 * Logs users in by name and password (contract: getOAuthToken). An unknown name, a wrong password and a lockout take
 * the same time and get the same answer. The state of an account is shown only after the right password.
 */
export class PasswordGrant extends Context.Service<
  PasswordGrant,
  { readonly login: (credentials: Credentials) => Effect.Effect<LoggedIn, PasswordGrantError> }
>()("@kinora/node/sessions/PasswordGrant") {
  static readonly layer = Layer.effect(
    PasswordGrant,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const rows = yield* LoginRows
      const passwords = yield* Passwords
      const lockout = yield* LoginLockout
      const mailer = yield* Mailer
      const twoFactor = yield* TwoFactor

      const mailLockout = Effect.fnUntraced(function* (subject: LoginSubject, ip: string | null) {
        if (subject.kind !== "user") return
        yield* Effect.logWarning(`Logins of user ${subject.id} are locked out after too many wrong passwords`)
        if (!mailer.enabled) return
        const { email, username } = subject
        yield* mailer.queue({ _tag: "LoginLockedOut", to: email, username, ip, minutes: lockout.minutes })
      })

      /** The user this password belongs to. Always costs one hash, whatever the result. */
      const withPassword = Effect.fnUntraced(function* (username: string, password: string, ip: string | null) {
        const subject = canNameUser(username) ? Option.getOrUndefined(yield* rows.find(username)) : undefined
        const attempt = yield* lockout.attempt(subject && `${subject.kind}:${subject.id}`, ip)
        const isRight = yield* Effect.tapError(
          passwords.verify(password, attempt.refused ? undefined : subject?.passwordHash),
          () => attempt.takeBack
        )
        if (subject !== undefined && isRight) {
          yield* attempt.takeBack
          return subject
        }
        if (subject !== undefined && attempt.last) yield* mailLockout(subject, ip)
        return yield* new InvalidGrant({ what: "credentials" })
      })

      /** The hash that replaces an outdated one. */
      const rehash = Effect.fnUntraced(function* (userId: number, password: string, stored: string) {
        if (!isOutdated(stored)) return stored
        const renewed = yield* passwords.hash(password)
        if (yield* rows.rehash(userId, stored, renewed)) return renewed
        // Another login replaced it first, or the password was changed.
        const present = Option.getOrElse(yield* rows.passwordHash(userId), () => "")
        if (yield* passwords.verify(password, present)) return present
        return yield* new InvalidGrant({ what: "credentials" })
      })

      const login = Effect.fn("PasswordGrant.login")(function* (credentials: Credentials) {
        if (credentials.externalAuthToken !== undefined) return yield* new InvalidGrant({ what: "external" })
        const { ip, oneTimeCode, password, username } = credentials
        if (username === undefined || username === "") return yield* missing("username")
        if (password === undefined || password === "") return yield* missing("password")
        if (isTooLong(password)) return yield* new TooLongPassword()
        const subject = yield* withPassword(username, password, ip)
        const unverified = config.signup.requires_email_verification && subject.emailVerified !== true
        if (subject.kind === "registration") {
          if (subject.state === "rejected") return yield* new AccountApprovalRejected()
          return yield* unverified ? new EmailNotVerified() : new AccountWaitingForApproval()
        }
        if (subject.blocked) return yield* new AccountBlocked()
        if (unverified && subject.emailVerified === false) return yield* new EmailNotVerified()
        yield* twoFactor.verify(subject.id, oneTimeCode)
        return { id: subject.id, passwordHash: yield* rehash(subject.id, password, subject.passwordHash) }
      })

      return PasswordGrant.of({ login })
    })
  )
}
