import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { lockRegistrations } from "../registration/SignupRows.ts"
import { takenNames } from "../registration/TakenNames.ts"
import { ActorNameTaken, type CreatedUser, EmailTaken, insertUser, type NewUser } from "./NewUser.ts"

/** A user by id, or by username, ignoring case. */
export type UserName = number | string

/** A user as the recipient of a mail. */
export interface AddressedUser {
  readonly id: number
  readonly username: string
  readonly email: string
}

type Refused = SqlError | EmailTaken | ActorNameTaken | DatabaseUnavailable

/** The users of this instance as rows. Rules about them belong to the node. */
export class UserRows extends Context.Service<
  UserRows,
  {
    /** Writes user, account, channel and their actors in one transaction. */
    readonly create: (user: NewUser) => Effect.Effect<CreatedUser, ActorNameTaken | EmailTaken | DatabaseUnavailable>
    /**
     * Sets the hash, ends every session of the user and deletes every link that sets a password. None: no such user.
     */
    readonly setPassword: (
      user: UserName,
      passwordHash: string,
      exceptTokenId?: number
    ) => Effect.Effect<Option.Option<AddressedUser>, DatabaseUnavailable>
    /** None: no such user. */
    readonly setRole: (username: string, role: number) => Effect.Effect<Option.Option<number>, DatabaseUnavailable>
    /** See `takenNames` of TakenNames.ts. */
    readonly takenNames: (names: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, DatabaseUnavailable>
  }
>()("@kinora/storage/users/UserRows") {
  static readonly layer = Layer.effect(
    UserRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const nameOf = Effect.fnUntraced(function* (user: NewUser) {
        const { preferredUsername } = user.account
        const rows = yield* sql`
          select 1 from actor where preferred_username = ${preferredUsername}::citext and server_id is null
        `
        return rows.length > 0 ? preferredUsername : user.channel.preferredUsername
      })

      const create = Effect.fn("UserRows.create")(function* (user: NewUser) {
        // Each takes two names: without taking turns, two users who want each other's would deadlock.
        return yield* sql.withTransaction(Effect.andThen(lockRegistrations(sql), insertUser(sql, user))).pipe(
          Effect.catchTag("SqlError", (error): Effect.Effect<never, Refused> => {
            if (error.reason._tag !== "UniqueViolation") return Effect.fail(error)
            return error.reason.constraint.includes("email")
              ? Effect.fail(new EmailTaken({ email: user.email }))
              : Effect.flatMap(nameOf(user), (name) => Effect.fail(new ActorNameTaken({ name })))
          })
        )
      }, withDatabaseErrors)

      const setPassword = Effect.fn("UserRows.setPassword")(function* (
        user: UserName,
        passwordHash: string,
        exceptTokenId?: number
      ) {
        const named = typeof user === "number" ? sql`id = ${user}` : sql`username = ${user}::citext`
        const rows = yield* sql<AddressedUser>`
          with changed as (
            update app_user set password_hash = ${passwordHash}, updated_at = now()
            where ${named} returning id, username, email
          ), ended as (
            delete from oauth_token where user_id in (select id from changed) and id <> ${exceptTokenId ?? 0}
          ), unlinked as (
            delete from one_time_token
            where user_id in (select id from changed) and purpose in ('reset-password', 'create-password')
          )
          select id, username::text as username, email::text as email from changed
        `
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const setRole = Effect.fn("UserRows.setRole")(function* (username: string, role: number) {
        const rows = yield* sql<{ id: number }>`
          update app_user set role = ${role}::smallint, updated_at = now()
          where username = ${username}::citext returning id
        `
        return Option.map(Option.fromUndefinedOr(rows[0]), (row) => row.id)
      }, withDatabaseErrors)

      return UserRows.of({
        create,
        setPassword,
        setRole,
        takenNames: Effect.fn("UserRows.takenNames")(
          (names: ReadonlyArray<string>) => takenNames(sql, names),
          withDatabaseErrors
        )
      })
    })
  )
}
