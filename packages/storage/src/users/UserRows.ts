import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { withDatabaseErrors } from "../database/Database.ts"
import { ActorNameTaken, type CreatedUser, EmailTaken, insertUser, type NewUser } from "./NewUser.ts"

/** What a login is decided by. */
export interface LoginUser {
  readonly id: number
  readonly username: string
  readonly passwordHash: string
  readonly blocked: boolean
  readonly emailVerified: boolean | null
}

/** A user by id, or by user name, letters compared without case. */
export type UserName = number | string

/** A user as mails are addressed. */
export interface AddressedUser {
  readonly id: number
  readonly username: string
  readonly email: string
}

type Refused = SqlError | EmailTaken | ActorNameTaken | DatabaseUnavailable

/** The users of this instance as rows; what they mean is the business of the node. */
export class UserRows extends Context.Service<
  UserRows,
  {
    /** Writes user, account, channel and their actors in one transaction. */
    readonly create: (user: NewUser) => Effect.Effect<CreatedUser, ActorNameTaken | EmailTaken | DatabaseUnavailable>
    /** By exact user name or mail address, letters compared without case. */
    readonly forLogin: (name: string) => Effect.Effect<Option.Option<LoginUser>, DatabaseUnavailable>
    /** Sets the hash, ends every session of the user and every link that sets a password; none: no such user. */
    readonly setPassword: (
      user: UserName,
      passwordHash: string
    ) => Effect.Effect<Option.Option<AddressedUser>, DatabaseUnavailable>
    /** None: no such user. */
    readonly setRole: (username: string, role: number) => Effect.Effect<Option.Option<number>, DatabaseUnavailable>
    /** Notes the time of a successful login. */
    readonly loggedIn: (userId: number) => Effect.Effect<void, DatabaseUnavailable>
    /** Those of the given names that local actors have, or channels of registrations that wait, in lower case. */
    readonly takenNames: (names: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, DatabaseUnavailable>
  }
>()("@kinora/storage/users/UserRows") {
  static readonly layer = Layer.effect(
    UserRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const takenNames = Effect.fn("UserRows.takenNames")(function* (names: ReadonlyArray<string>) {
        const rows = yield* sql<{ name: string }>`
          select lower(preferred_username::text) as name from actor
          where server_id is null and ${sql.in("preferred_username", names)}
          union select lower(channel_handle::text) from user_registration
          where state = 1 and ${sql.in("channel_handle", names)}
        `
        return new Set(rows.map((row) => row.name)) as ReadonlySet<string>
      }, withDatabaseErrors)

      const create = Effect.fn("UserRows.create")(function* (user: NewUser) {
        return yield* sql.withTransaction(insertUser(sql, user)).pipe(
          Effect.catchTag("SqlError", (error): Effect.Effect<never, Refused> => {
            if (error.reason._tag !== "UniqueViolation") return Effect.fail(error)
            return error.reason.constraint.includes("email")
              ? Effect.fail(new EmailTaken({ email: user.email }))
              : Effect.flatMap(takenNames([user.account.preferredUsername]), (taken) =>
                  Effect.fail(
                    new ActorNameTaken({
                      name: taken.size > 0 ? user.account.preferredUsername : user.channel.preferredUsername
                    })
                  )
                )
          })
        )
      }, withDatabaseErrors)

      const forLogin = Effect.fn("UserRows.forLogin")(function* (name: string) {
        // A user name cannot hold an @, so at most one of the two conditions can hold.
        const rows = yield* sql<LoginUser>`
          select id, username::text as username, password_hash as "passwordHash", blocked,
            email_verified as "emailVerified"
          from app_user where username = ${name}::citext or email = ${name}::citext
        `
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const setPassword = Effect.fn("UserRows.setPassword")(function* (user: UserName, passwordHash: string) {
        const named = typeof user === "number" ? sql`id = ${user}` : sql`username = ${user}::citext`
        const rows = yield* sql<AddressedUser>`
          with changed as (
            update app_user set password_hash = ${passwordHash}, updated_at = now()
            where ${named} returning id, username, email
          ), ended as (
            delete from oauth_token where user_id in (select id from changed)
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

      const loggedIn = Effect.fn("UserRows.loggedIn")(function* (userId: number) {
        yield* sql`update app_user set last_login_at = now() where id = ${userId}`
      }, withDatabaseErrors)

      return UserRows.of({ create, forLogin, setPassword, setRole, loggedIn, takenNames })
    })
  )
}
