import { Conflict, RegistrationNotFound, UserNotFound } from "@kinora/domain/errors/ActorErrors"
import type { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import type { TokenOwner } from "@kinora/storage/people/user/OneTimeTokens"
import { EmailRows, type MailedUser } from "@kinora/storage/people/verification/EmailRows"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { verifyEmailLink, verifyRegistrationLink } from "../../platform/mail/Links.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { linkRefused, OneTimeLinks } from "./OneTimeLinks.ts"

const userOwner = (userId: number): TokenOwner => ({ _tag: "User", userId })
const registrationOwner = (registrationId: number): TokenOwner => ({ _tag: "Registration", registrationId })

const emailConflict = () => Effect.fail(new Conflict({ reason: "This mail address belongs to another user" }))

/**
 * Verifies that an email address belongs to its user: for new users, for users who change theirs, and for
 * registrations. The purpose of a link is stored with its token and never taken from the request.
 *
 * The mail is queued in the transaction that writes the token, and takes part in the caller's `sql.withTransaction`.
 * Nothing is sent if mail is not configured.
 */
export class EmailVerification extends Context.Service<
  EmailVerification,
  {
    /** Sends the user a link to verify their address. Does nothing if it is verified or there is no such user. */
    readonly sendForUser: (userId: number) => Effect.Effect<void, DatabaseUnavailable>
    /**
     * Starts a change of address. The new address applies when the link sent to it is used, or at once if verification
     * is off or mail is not configured. Choosing the present address cancels a change. Fails if somebody else has the
     * address.
     */
    readonly startChange: (
      userId: number,
      username: string,
      newEmail: string
    ) => Effect.Effect<void, Conflict | DatabaseUnavailable>
    /** Sends the link again to the address that waits for verification. */
    readonly sendForChange: (
      userId: number,
      username: string,
      newEmail: string
    ) => Effect.Effect<void, DatabaseUnavailable>
    readonly sendForRegistration: (
      registrationId: number,
      username: string,
      email: string
    ) => Effect.Effect<void, DatabaseUnavailable>
    /**
     * Uses a token of a user: one of a new account verifies its address, one of a changed address applies the change.
     * With a changed address, links sent to the old one become invalid and the old one gets a mail.
     */
    readonly confirmUser: (
      userId: number,
      token: string
    ) => Effect.Effect<void, UserNotFound | Forbidden | Conflict | DatabaseUnavailable>
    /** The same for a registration, and for the user created from it. */
    readonly confirmRegistration: (
      registrationId: number,
      token: string
    ) => Effect.Effect<void, RegistrationNotFound | Forbidden | DatabaseUnavailable>
  }
>()("@kinora/node/verification/EmailVerification") {
  static readonly layer = Layer.effect(
    EmailVerification,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const sql = yield* SqlClient
      const rows = yield* EmailRows
      const links = yield* OneTimeLinks
      const mailer = yield* Mailer

      const sendForUser = Effect.fn("EmailVerification.sendForUser")(
        function* (userId: number) {
          if (!mailer.enabled) return
          const user = yield* rows.user(userId)
          if (Option.isNone(user) || user.value.emailVerified === true) return
          const { email, username } = user.value
          const token = yield* links.issue("verify-email", userOwner(userId), email)
          const link = verifyEmailLink(config, userId, token, false)
          yield* mailer.queue({ _tag: "VerifyEmail", to: email, username, link })
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const sendForChange = Effect.fn("EmailVerification.sendForChange")(
        function* (userId: number, username: string, newEmail: string) {
          if (!mailer.enabled) return
          const token = yield* links.issue("change-email", userOwner(userId), newEmail)
          const link = verifyEmailLink(config, userId, token, true)
          yield* mailer.queue({ _tag: "VerifyEmail", to: newEmail, username, link })
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      /** Ends the links of the former address and mails it, unless it was never verified. */
      const afterChange = Effect.fnUntraced(function* (former: MailedUser) {
        yield* links.end(["change-email", "verify-email", "reset-password", "create-password"], userOwner(former.id))
        if (!mailer.enabled || former.emailVerified === false) return
        yield* mailer.queue({ _tag: "EmailChanged", to: former.email, username: former.username })
      })

      const startChange = Effect.fn("EmailVerification.startChange")(
        function* (userId: number, username: string, newEmail: string) {
          const owner = userOwner(userId)
          const present = Option.map(yield* rows.user(userId), (user) => user.email.toLowerCase())
          if (Option.contains(present, newEmail.toLowerCase())) {
            yield* rows.setPending(userId, null)
            return yield* links.end(["change-email"], owner)
          }
          if (mailer.enabled && config.signup.requires_email_verification) {
            yield* rows.setPending(userId, newEmail)
            return yield* sendForChange(userId, username, newEmail)
          }
          const former = yield* rows.change(userId, newEmail)
          if (Option.isSome(former)) yield* afterChange(former.value)
        },
        sql.withTransaction,
        Effect.catchTag("EmailTaken", emailConflict),
        withDatabaseErrors
      )

      const sendForRegistration = Effect.fn("EmailVerification.sendForRegistration")(
        function* (registrationId: number, username: string, email: string) {
          if (!mailer.enabled) return
          const token = yield* links.issue("verify-registration", registrationOwner(registrationId), email)
          const link = verifyRegistrationLink(config, registrationId, token)
          yield* mailer.queue({ _tag: "VerifyRegistration", to: email, username, link })
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const confirmUser = Effect.fn("EmailVerification.confirmUser")(
        function* (userId: number, token: string) {
          const owner = userOwner(userId)
          if (Option.isNone(yield* rows.user(userId))) return yield* new UserNotFound()
          const present = yield* links.take(token, "verify-email", owner)
          if (Option.isSome(present)) {
            if (!(yield* rows.verified(userId, present.value))) return yield* linkRefused()
            return
          }
          const changed = yield* links.take(token, "change-email", owner)
          if (Option.isNone(changed)) return yield* linkRefused()
          const former = yield* rows.confirmChange(userId, changed.value)
          if (Option.isNone(former)) return yield* linkRefused()
          yield* afterChange(former.value)
        },
        sql.withTransaction,
        Effect.catchTag("EmailTaken", emailConflict),
        withDatabaseErrors
      )

      const confirmRegistration = Effect.fn("EmailVerification.confirmRegistration")(
        function* (registrationId: number, token: string) {
          if (!(yield* rows.registrationExists(registrationId))) return yield* new RegistrationNotFound()
          const email = yield* links.take(token, "verify-registration", registrationOwner(registrationId))
          if (Option.isNone(email)) return yield* linkRefused()
          if (!(yield* rows.registrationVerified(registrationId, email.value))) return yield* linkRefused()
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      return EmailVerification.of({
        sendForUser,
        startChange,
        sendForChange,
        sendForRegistration,
        confirmUser,
        confirmRegistration
      })
    })
  )
}
