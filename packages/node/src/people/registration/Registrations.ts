import type { Conflict } from "@kinora/domain/errors/ActorErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { BadRequest, InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { UserRole } from "@kinora/domain/enums/UserRole"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { RegisterUser, UserRegistrationRequest } from "@kinora/domain/requests/RegistrationRequest"
import { NotificationEvents } from "@kinora/storage/social/notification/NotificationEvents"
import { type RegistrationRow, RegistrationRows } from "@kinora/storage/people/registration/RegistrationRows"
import { SignupRows } from "@kinora/storage/people/registration/SignupRows"
import { TakenNames } from "@kinora/storage/people/registration/TakenNames"
import { UserRows } from "@kinora/storage/people/user/UserRows"
import { Context, Effect, Layer, Semaphore } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { Passwords } from "../session/Passwords.ts"
import { NameAvailability } from "../user/NameAvailability.ts"
import { Users } from "../user/Users.ts"
import { EmailVerification } from "../verification/EmailVerification.ts"
import { SignupPolicy } from "./SignupPolicy.ts"
import { taken, takenMeanwhile } from "./Taken.ts"

/** At most this many moderators are notified of a registration. */
const maxModerators = 50

type Refused = InvalidParameters | BadRequest | Forbidden | Conflict | DatabaseUnavailable

/** The only rule that concerns two fields together. */
const checkNames = ({ channel, username }: RegisterUser) =>
  channel?.name.toLowerCase() === username
    ? Effect.fail(
        InvalidParameters.one(
          "channel.name",
          "Must not be the user name: they share one namespace",
          "body",
          channel.name
        )
      )
    : Effect.void

/**
 * Registration. Cheap checks come first and the password hash last. Then everything is checked again in the transaction
 * that writes, one registration at a time. `address` is the client's.
 */
export class Registrations extends Context.Service<
  Registrations,
  {
    /** Creates the user at once, with a mail to verify the address if that is required. */
    readonly register: (request: RegisterUser, address: string | undefined) => Effect.Effect<void, Refused>
    /** Stores the request and notifies the moderators. */
    readonly request: (
      request: UserRegistrationRequest,
      address: string | undefined
    ) => Effect.Effect<RegistrationRow, Refused>
  }
>()("@kinora/node/registrations/Registrations") {
  static readonly layer = Layer.effect(
    Registrations,
    Effect.gen(function* () {
      const { signup } = yield* KinoraConfig
      const policy = yield* SignupPolicy
      const names = yield* NameAvailability
      const takenNames = yield* TakenNames
      const signups = yield* SignupRows
      const registrations = yield* RegistrationRows
      const users = yield* Users
      const userRows = yield* UserRows
      const passwords = yield* Passwords
      const verification = yield* EmailVerification
      const mailer = yield* Mailer
      const events = yield* NotificationEvents
      // Each takes two threads of the pool that also reads files: many registrations at once must not use up the whole
      // pool.
      const making = yield* Semaphore.make(1)
      const emailVerified = () => (signup.requires_email_verification ? false : null)

      /** Refuses names and addresses that are taken or requested, and every registration if the instance is full. */
      const checkFree = Effect.fnUntraced(function* ({ channel, email, username }: RegisterUser) {
        yield* policy.room
        const found = yield* names.free(channel === undefined ? [username] : [username, channel.name])
        const conflict = taken({
          username: found.has(username) ? username : undefined,
          email: (yield* takenNames.email(email)) ? email : undefined,
          channelName: channel !== undefined && found.has(channel.name.toLowerCase()) ? channel.name : undefined
        })
        if (conflict !== undefined) return yield* conflict
      })

      const register = Effect.fn("Registrations.register")(function* (
        request: RegisterUser,
        address: string | undefined
      ) {
        yield* policy.permit(address)
        if (signup.requires_approval) {
          return yield* new Forbidden({ reason: "Registrations need approval here: request an account instead" })
        }
        yield* checkNames(request)
        yield* checkFree(request)
        const user = yield* making.withPermits(1)(
          users.prepare({
            username: request.username,
            email: request.email,
            password: request.password,
            role: UserRole.user,
            displayName: request.displayName,
            channelName: request.channel?.name,
            channelDisplayName: request.channel?.displayName,
            emailVerified: emailVerified()
          })
        )
        yield* signups.inTurn(
          Effect.gen(function* () {
            yield* checkFree(request)
            const { userId } = yield* userRows.create(user)
            yield* events.record({ _tag: "UserRegistered", userId })
            if (signup.requires_email_verification) yield* verification.sendForUser(userId)
          })
        )
      }, Effect.catchTags(takenMeanwhile))

      const mailModerators = Effect.fnUntraced(function* (username: string, reason: string) {
        if (!mailer.enabled) return
        const addresses = yield* signups.moderatorAddresses(maxModerators)
        for (const to of addresses) yield* mailer.queue({ _tag: "RegistrationRequested", to, username, reason })
      })

      const request = Effect.fn("Registrations.request")(function* (
        request: UserRegistrationRequest,
        address: string | undefined
      ) {
        yield* policy.permit(address)
        if (!signup.requires_approval) {
          return yield* new BadRequest({ reason: "Registrations need no approval here: register directly" })
        }
        yield* checkNames(request)
        yield* checkFree(request)
        const passwordHash = yield* passwords.hash(request.password)
        return yield* signups.inTurn(
          Effect.gen(function* () {
            yield* checkFree(request)
            const row = yield* registrations.insert({
              username: request.username,
              email: request.email,
              emailVerified: emailVerified(),
              passwordHash,
              reason: request.registrationReason,
              displayName: request.displayName ?? null,
              channelName: request.channel?.name ?? null,
              channelDisplayName: request.channel?.displayName ?? null
            })
            if (signup.requires_email_verification) {
              yield* verification.sendForRegistration(row.id, row.username, row.email)
            }
            yield* mailModerators(row.username, row.reason)
            yield* events.record({ _tag: "Registration", registrationId: row.id })
            return row
          })
        )
      })

      return Registrations.of({ register, request })
    })
  )
}
