import { Conflict, UserNotFound } from "@kinora/domain/errors/ActorErrors"
import { UserRole } from "@kinora/domain/enums/UserRole"
import { Forbidden, InvalidToken, type PasswordConfirmationRequired } from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { UpdateUser } from "@kinora/domain/requests/UserRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { isOperator } from "@kinora/domain/users/Operator"
import { withDatabaseErrors } from "@kinora/storage/platform/database/Database"
import { type ManagedUser, UserChanges } from "@kinora/storage/people/user/UserChanges"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { AccessTokens } from "../session/AccessTokens.ts"
import { PasswordConfirmation } from "../session/PasswordConfirmation.ts"
import { Passwords } from "../session/Passwords.ts"
import { UserDeletion } from "./UserDeletion.ts"
import { UserPasswords } from "./UserPasswords.ts"
import { isRoot, mayGiveRole, mayOnUser, type UserAction } from "../rights/UserRights.ts"

type Refused = InvalidToken | UserNotFound | Forbidden | DatabaseUnavailable
type Dangerous = Refused | PasswordConfirmationRequired

const refusals = {
  manage: "You cannot change this user",
  changeRole: "You cannot change the role of this user",
  block: "You cannot block this user",
  delete: "You cannot delete this user"
} satisfies Partial<Record<UserAction, string>>

/**
 * What administrators and moderators do to users. Each change is decided in the transaction that writes it, by the
 * state of both users at that moment: a right that was removed during the request no longer counts.
 */
export class UserAdministration extends Context.Service<
  UserAdministration,
  {
    /** Only administrators change roles. A new password ends the user's sessions. */
    readonly update: (
      asker: CurrentUserShape,
      userId: number,
      change: UpdateUser
    ) => Effect.Effect<void, Dangerous | Conflict>
    /** Ends every session of the user, and mails them if mail is configured. */
    readonly block: (asker: CurrentUserShape, userId: number, reason: string | null) => Effect.Effect<void, Refused>
    readonly unblock: (asker: CurrentUserShape, userId: number) => Effect.Effect<void, Refused>
    /** Deletes a user with all their data. */
    readonly remove: (asker: CurrentUserShape, userId: number) => Effect.Effect<void, Dangerous>
  }
>()("@kinora/node/users/UserAdministration") {
  static readonly layer = Layer.effect(
    UserAdministration,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* UserChanges
      const mailer = yield* Mailer
      const tokens = yield* AccessTokens
      const passwords = yield* Passwords
      const userPasswords = yield* UserPasswords
      const deletion = yield* UserDeletion
      const confirmation = yield* PasswordConfirmation
      const audit = yield* AuditTrail

      const around = (
        asker: CurrentUserShape,
        action: string,
        { id, username }: Pick<ManagedUser, "id" | "username">
      ) => audit.around(asker, { domain: "user", action, target: { userId: id, username }, values: rows.values(id) })

      /** Locks both users and returns them as they are now, if the first may do this to the second. */
      const decide = Effect.fnUntraced(function* (
        asker: CurrentUserShape,
        action: keyof typeof refusals,
        userId: number
      ) {
        const users = yield* rows.lock([asker.id, userId])
        const now = isOperator(asker) ? { ...asker, blocked: false } : users.find((user) => user.id === asker.id)
        if (now === undefined || now.blocked) return yield* new InvalidToken()
        const target = users.find((user) => user.id === userId)
        if (target === undefined) return yield* new UserNotFound()
        const decided = {
          asker: { id: asker.id, role: now.role as CurrentUserShape["role"] },
          target: { ...target, isRoot: isRoot(target) }
        }
        if (!mayOnUser(decided.asker, action, decided.target)) return yield* new Forbidden({ reason: refusals[action] })
        return decided
      })

      const write = Effect.fnUntraced(
        function* (asker: CurrentUserShape, userId: number, change: UpdateUser, passwordHash: string | undefined) {
          const now = yield* decide(asker, "manage", userId)
          const { role } = change
          if (role !== undefined && role !== now.target.role) {
            if (!mayOnUser(now.asker, "changeRole", now.target) || !mayGiveRole(now.asker, role)) {
              return yield* new Forbidden({ reason: refusals.changeRole })
            }
          }
          yield* around(asker, "update", now.target)(rows.update(userId, change))
          const { email, emailVerified, username } = now.target
          const isMoved = change.email !== undefined && change.email.toLowerCase() !== email.toLowerCase()
          // The former address gets a mail, unless it was never verified.
          if (isMoved && emailVerified !== false && mailer.enabled) {
            yield* mailer.queue({ _tag: "EmailChanged", to: email, username })
          }
          if (passwordHash === undefined) return
          yield* userPasswords.setHash(userId, passwordHash)
          const target = { userId, username }
          yield* audit.record(asker, { domain: "user", action: "set-password", target })
        },
        sql.withTransaction,
        withDatabaseErrors,
        Effect.catchTag(
          "EmailTaken",
          ({ email }) => new Conflict({ reason: `The address ${email} belongs to another user` })
        )
      )

      const update = Effect.fn("UserAdministration.update")(function* (
        asker: CurrentUserShape,
        userId: number,
        change: UpdateUser
      ) {
        const takesOver = change.password !== undefined && asker.id !== userId
        if (takesOver || change.role === UserRole.administrator) yield* confirmation.require(asker)
        // Hashed before the transaction, because it takes long.
        const passwordHash = change.password === undefined ? undefined : yield* passwords.hash(change.password)
        yield* write(asker, userId, change, passwordHash)
        // This node need not wait for the notice that others get: the next request has the new role.
        yield* tokens.forget(userId)
      })

      const block = Effect.fn("UserAdministration.block")(
        function* (asker: CurrentUserShape, userId: number, reason: string | null) {
          const { target } = yield* decide(asker, "block", userId)
          yield* around(asker, "block", target)(rows.block(userId, reason))
          yield* tokens.revokeAll(userId)
          if (target.blocked || !mailer.enabled) return
          yield* mailer.queue({ _tag: "UserBlocked", to: target.email, username: target.username, reason })
        },
        sql.withTransaction,
        withDatabaseErrors,
        // A request that came before the commit may have been remembered.
        (blocked, _asker, userId) => Effect.tap(blocked, () => tokens.forget(userId))
      )

      const unblock = Effect.fn("UserAdministration.unblock")(
        function* (asker: CurrentUserShape, userId: number) {
          const { target } = yield* decide(asker, "manage", userId)
          if (!target.blocked) return
          yield* around(asker, "unblock", target)(rows.unblock(userId))
          if (mailer.enabled)
            yield* mailer.queue({ _tag: "UserUnblocked", to: target.email, username: target.username })
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      // Checked separately from the deletion, which can take long and should not lock the row of the acting user.
      const mayRemove = (asker: CurrentUserShape, userId: number) =>
        decide(asker, "delete", userId).pipe(sql.withTransaction, withDatabaseErrors)

      const remove = Effect.fn("UserAdministration.remove")(function* (asker: CurrentUserShape, userId: number) {
        yield* confirmation.require(asker)
        const { target } = yield* mayRemove(asker, userId)
        yield* around(asker, "delete", target)(deletion.remove(userId))
      })

      return UserAdministration.of({ update, block, unblock, remove })
    })
  )
}
