import { Conflict } from "@kinora/domain/errors/ActorErrors"
import { UserRole } from "@kinora/domain/enums/UserRole"
import { Forbidden, InvalidToken, type PasswordConfirmationRequired } from "@kinora/domain/errors/AuthErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { AddUser } from "@kinora/domain/requests/UserRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { isOperator } from "@kinora/domain/users/Operator"
import { SignupRows } from "@kinora/storage/people/registration/SignupRows"
import type { CreatedUser, NewUser } from "@kinora/storage/people/user/NewUser"
import { UserChanges } from "@kinora/storage/people/user/UserChanges"
import { UserRows } from "@kinora/storage/people/user/UserRows"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { PasswordLinks } from "../verification/PasswordLinks.ts"
import { PasswordConfirmation } from "../session/PasswordConfirmation.ts"
import { NameAvailability } from "./NameAvailability.ts"
import { mayGiveRole } from "../rights/UserRights.ts"
import { Users } from "./Users.ts"

type Refused =
  | InvalidParameters
  | InvalidToken
  | Forbidden
  | Conflict
  | PasswordConfirmationRequired
  | DatabaseUnavailable

const nameTaken = (name: string) => new Conflict({ reason: `The name ${name} is taken` })

/** Problems that only the fields together, or the configuration, can show. */
const invalidOf = (request: AddUser, mailIsConfigured: boolean): InvalidParameters | undefined => {
  if (request.password === "" && !mailIsConfigured) {
    const msg = "Must not be empty: no mail is configured by which the user could set one"
    return InvalidParameters.one("password", msg, "body")
  }
  if (request.channelName?.toLowerCase() === request.username) {
    return InvalidParameters.one("channelName", "Must not be the name of the user", "body", request.channelName)
  }
  return undefined
}

/** Users created by administrators and moderators. */
export class UserCreation extends Context.Service<
  UserCreation,
  {
    /** With an empty password the user is mailed a link that sets one, in the transaction that creates the user. */
    readonly create: (asker: CurrentUserShape, request: AddUser) => Effect.Effect<CreatedUser, Refused>
  }
>()("@kinora/node/users/UserCreation") {
  static readonly layer = Layer.effect(
    UserCreation,
    Effect.gen(function* () {
      const signups = yield* SignupRows
      const users = yield* Users
      const rows = yield* UserRows
      const changes = yield* UserChanges
      const names = yield* NameAvailability
      const links = yield* PasswordLinks
      const mailer = yield* Mailer
      const audit = yield* AuditTrail
      const confirmation = yield* PasswordConfirmation

      const mayGive = Effect.fnUntraced(function* (asker: Pick<CurrentUserShape, "id" | "role">, role: number) {
        if (!mayGiveRole(asker, role)) return yield* new Forbidden({ reason: "You cannot make users of this role" })
      })

      const checkNames = Effect.fnUntraced(function* (wanted: ReadonlyArray<string>) {
        const [taken] = yield* names.free(wanted)
        if (taken !== undefined) return yield* nameTaken(taken)
      })

      const write = Effect.fnUntraced(
        function* (asker: CurrentUserShape, user: NewUser, setsPassword: boolean) {
          const [now] = isOperator(asker) ? [{ ...asker, blocked: false }] : yield* changes.lock([asker.id])
          if (now === undefined || now.blocked) return yield* new InvalidToken()
          yield* mayGive({ id: asker.id, role: now.role as CurrentUserShape["role"] }, user.role)
          yield* checkNames([user.account.preferredUsername, user.channel.preferredUsername])
          const created = yield* rows.create(user)
          yield* audit.record(asker, {
            domain: "user",
            action: "create",
            target: { userId: created.userId, username: user.username },
            after: (yield* changes.values(created.userId)) ?? {}
          })
          if (setsPassword) yield* links.sendCreate(created.userId, user.username, user.email)
          return created
        },
        signups.inTurn,
        Effect.catchTags({
          ActorNameTaken: ({ name }) => nameTaken(name),
          EmailTaken: ({ email }) => new Conflict({ reason: `The address ${email} belongs to another user` })
        })
      )

      const create = Effect.fn("UserCreation.create")(function* (asker: CurrentUserShape, request: AddUser) {
        const invalid = invalidOf(request, mailer.enabled)
        if (invalid !== undefined) return yield* invalid
        // Checked before keys are generated, and again, with the names, in the transaction.
        yield* mayGive(asker, request.role)
        if (request.role === UserRole.administrator) yield* confirmation.require(asker)
        yield* checkNames([request.username, ...(request.channelName === undefined ? [] : [request.channelName])])
        const { password, ...rest } = request
        const setsPassword = password === ""
        const user = yield* Effect.orDie(users.prepare(setsPassword ? rest : request))
        return yield* write(asker, user, setsPassword)
      })

      return UserCreation.of({ create })
    })
  )
}
