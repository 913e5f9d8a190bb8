import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** The subject of a login name: a user, or a registration that was not accepted. */
export type LoginSubject =
  | {
      readonly kind: "user"
      readonly id: number
      readonly username: string
      readonly email: string
      readonly passwordHash: string
      readonly blocked: boolean
      /** Null if verification is not required. */
      readonly emailVerified: boolean | null
    }
  | {
      readonly kind: "registration"
      readonly id: number
      readonly passwordHash: string
      readonly emailVerified: boolean | null
      readonly state: "pending" | "rejected"
    }

export interface UserFacts {
  readonly id: number
  readonly username: string
  readonly role: number
}

interface Row {
  readonly kind: "user" | "registration"
  readonly id: number
  readonly username: string
  readonly email: string
  readonly passwordHash: string | null
  readonly blocked: boolean
  readonly emailVerified: boolean | null
  readonly state: number
}

const subject = (row: Row): LoginSubject => {
  const { emailVerified, id } = row
  const passwordHash = row.passwordHash ?? ""
  return row.kind === "user"
    ? { kind: "user", id, username: row.username, email: row.email, passwordHash, blocked: row.blocked, emailVerified }
    : { kind: "registration", id, passwordHash, emailVerified, state: row.state === 1 ? "pending" : "rejected" }
}

/** Data that logins need. */
export class LoginRows extends Context.Service<
  LoginRows,
  {
    /**
     * By exact username or email address, ignoring case: the user, else the newest registration with that name or
     * address that was not accepted.
     */
    readonly find: (login: string) => Effect.Effect<Option.Option<LoginSubject>, DatabaseUnavailable>
    /** The facts that rights over a user depend on. */
    readonly facts: (userId: number) => Effect.Effect<Option.Option<UserFacts>, DatabaseUnavailable>
    readonly passwordHash: (userId: number) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
    /** Stores a stronger hash of the same password. False: the hash has changed meanwhile. */
    readonly rehash: (userId: number, from: string, to: string) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Records the time of a successful login. */
    readonly loggedIn: (userId: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/sessions/LoginRows") {
  static readonly layer = Layer.effect(
    LoginRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      // A username cannot contain an @, so at most one user matches by name or address.
      const find = Effect.fn("LoginRows.find")(function* (login: string) {
        const rows = yield* sql<Row>`
          select 'user' as kind, id, username::text as username, email::text as email, password_hash as "passwordHash",
            blocked, email_verified as "emailVerified", 0 as state
          from app_user where username = ${login}::citext or email = ${login}::citext
          union all
          (select 'registration', id, username::text, email::text, password_hash, false, email_verified, state::int
          from user_registration
          where state <> 3 and (username = ${login}::citext or email = ${login}::citext)
          order by created_at desc, id desc limit 1)
        `
        return Option.map(Option.fromUndefinedOr(rows.find((row) => row.kind === "user") ?? rows[0]), subject)
      }, withDatabaseErrors)

      const facts = Effect.fn("LoginRows.facts")(function* (userId: number) {
        const rows =
          yield* sql<UserFacts>`select id, username::text as username, role from app_user where id = ${userId}`
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const passwordHash = Effect.fn("LoginRows.passwordHash")(function* (userId: number) {
        const rows = yield* sql<{ hash: string | null }>`
          select password_hash as hash from app_user where id = ${userId}
        `
        return Option.fromNullishOr(rows[0]?.hash)
      }, withDatabaseErrors)

      const rehash = Effect.fn("LoginRows.rehash")(function* (userId: number, from: string, to: string) {
        const rows = yield* sql`
          update app_user set password_hash = ${to} where id = ${userId} and password_hash = ${from} returning id
        `
        return rows.length > 0
      }, withDatabaseErrors)

      const loggedIn = Effect.fn("LoginRows.loggedIn")(function* (userId: number) {
        yield* sql`update app_user set last_login_at = now() where id = ${userId}`
      }, withDatabaseErrors)

      return LoginRows.of({ find, facts, passwordHash, rehash, loggedIn })
    })
  )
}
