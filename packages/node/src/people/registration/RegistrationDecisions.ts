import { type Conflict, RegistrationNotFound } from "@kinora/domain/errors/ActorErrors"
import { BadRequest } from "@kinora/domain/errors/RequestErrors"
import { UserRegistrationState } from "@kinora/domain/enums/UserRegistrationState"
import { UserRole } from "@kinora/domain/enums/UserRole"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { UserRegistrationDecision } from "@kinora/domain/requests/RegistrationRequest"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { type DecidableRegistration, RegistrationRows } from "@kinora/storage/people/registration/RegistrationRows"
import { SignupRows } from "@kinora/storage/people/registration/SignupRows"
import { UserRows } from "@kinora/storage/people/user/UserRows"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import type { AuditedValues } from "../../platform/audit/Difference.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { Users } from "../user/Users.ts"
import { EmailVerification } from "../verification/EmailVerification.ts"
import { taken, takenMeanwhile } from "./Taken.ts"

type Refused = RegistrationNotFound | BadRequest | DatabaseUnavailable

/** A registration without a decision yet, with the password hash it keeps until then. */
type Pending = DecidableRegistration & { readonly passwordHash: string }

const pendingOnly = Effect.fnUntraced(function* (found: Option.Option<DecidableRegistration>) {
  if (Option.isNone(found)) return yield* new RegistrationNotFound()
  const { passwordHash, state } = found.value
  if (state !== UserRegistrationState.pending || passwordHash === null) {
    const how = state === UserRegistrationState.accepted ? "accepted" : "rejected"
    return yield* new BadRequest({ reason: `This registration was ${how} already` })
  }
  return { ...found.value, passwordHash } satisfies Pending
})

/**
 * Decisions of moderators on registrations. If two decide at once, one succeeds and the other gets an error. Mails to
 * the person are queued in the same transaction, unless the moderator prevents them or mail is not configured.
 */
export class RegistrationDecisions extends Context.Service<
  RegistrationDecisions,
  {
    /** Creates the user with the password, names and channel that were requested. */
    readonly accept: (
      user: CurrentUserShape,
      id: number,
      decision: UserRegistrationDecision
    ) => Effect.Effect<void, Refused | Conflict>
    /**
     * Frees the names. The hash stays, so that a person who logs in with the right password learns of the rejection.
     */
    readonly reject: (
      user: CurrentUserShape,
      id: number,
      decision: UserRegistrationDecision
    ) => Effect.Effect<void, Refused>
    /** Deletes a registration in any state. The user created from it stays. */
    readonly remove: (
      user: CurrentUserShape,
      id: number
    ) => Effect.Effect<void, RegistrationNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/registrations/RegistrationDecisions") {
  static readonly layer = Layer.effect(
    RegistrationDecisions,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const registrations = yield* RegistrationRows
      const signups = yield* SignupRows
      const users = yield* Users
      const userRows = yield* UserRows
      const verification = yield* EmailVerification
      const mailer = yield* Mailer
      const audit = yield* AuditTrail

      const valuesOf = (found: Option.Option<DecidableRegistration>): AuditedValues =>
        Option.getOrUndefined(
          Option.map(found, ({ email, moderationResponse, reason, state, username }) => ({
            username,
            email,
            reason,
            state,
            moderationResponse
          }))
        )

      /** Adds the entry of a decision to its transaction. */
      const around = (
        user: CurrentUserShape,
        action: string,
        { id, username }: Pick<DecidableRegistration, "id" | "username">
      ) =>
        audit.around(user, {
          domain: "registration",
          action,
          target: { registrationId: id, username },
          values: Effect.map(registrations.byId(id), valuesOf)
        })

      const tell = (
        _tag: "RegistrationAccepted" | "RegistrationRejected",
        { email, username }: Pending,
        { moderationResponse, preventEmailDelivery }: UserRegistrationDecision
      ) =>
        mailer.enabled && preventEmailDelivery !== true
          ? mailer.queue({ _tag, to: email, username, moderationResponse })
          : Effect.void

      const checkObstacles = Effect.fnUntraced(function* (pending: Pending) {
        const found = yield* registrations.obstacles(pending.id)
        const conflict = taken({
          username: found.username ? pending.username : undefined,
          email: found.email ? pending.email : undefined,
          channelName: found.channelName ? (pending.channelName ?? undefined) : undefined
        })
        if (conflict !== undefined) return yield* conflict
      })

      const accept = Effect.fn("RegistrationDecisions.accept")(function* (
        user: CurrentUserShape,
        id: number,
        decision: UserRegistrationDecision
      ) {
        const wish = yield* pendingOnly(yield* registrations.byId(id))
        yield* checkObstacles(wish)
        const made = yield* users.prepare({
          username: wish.username,
          email: wish.email,
          passwordHash: wish.passwordHash,
          role: UserRole.user,
          displayName: wish.displayName ?? undefined,
          channelName: wish.channelName ?? undefined,
          channelDisplayName: wish.channelDisplayName ?? undefined
        })
        yield* signups.inTurn(
          Effect.gen(function* () {
            const held = yield* pendingOnly(yield* registrations.hold(id))
            const { userId } = yield* userRows.create({ ...made, emailVerified: held.emailVerified })
            yield* registrations.accept(id, {
              userId,
              moderationResponse: decision.moderationResponse,
              displayName: made.accountDisplayName,
              channelName: made.channel.preferredUsername,
              channelDisplayName: made.channelDisplayName
            })
            yield* tell("RegistrationAccepted", held, decision)
            // The link of the registration expires soon. Without a new one the user could not log in.
            if (held.emailVerified === false && decision.preventEmailDelivery !== true) {
              yield* verification.sendForUser(userId)
            }
          }).pipe(around(user, "accept", wish))
        )
      }, Effect.catchTags(takenMeanwhile))

      const reject = Effect.fn("RegistrationDecisions.reject")(
        function* (user: CurrentUserShape, id: number, decision: UserRegistrationDecision) {
          const held = yield* pendingOnly(yield* registrations.hold(id))
          yield* around(user, "reject", held)(registrations.reject(id, decision.moderationResponse))
          yield* tell("RegistrationRejected", held, decision)
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const remove = Effect.fn("RegistrationDecisions.remove")(function* (user: CurrentUserShape, id: number) {
        const found = yield* registrations.byId(id)
        if (Option.isNone(found)) return yield* new RegistrationNotFound()
        const removed = yield* around(user, "delete", found.value)(registrations.remove(id))
        if (!removed) return yield* new RegistrationNotFound()
      })

      return RegistrationDecisions.of({ accept, reject, remove })
    })
  )
}
