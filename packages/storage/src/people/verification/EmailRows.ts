import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { EmailTaken } from "../user/NewUser.ts"

/** The recipient of a mail. */
export interface MailedUser {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly pendingEmail: string | null
  readonly emailVerified: boolean | null
}

export interface MailedRegistration {
  readonly id: number
  readonly username: string
  readonly email: string
}

/** At most this many users who wait for the same address get a mail: nothing prevents several from trying. */
const maxWaiting = 3

/**
 * Email addresses of users and registrations, and whether they are verified. Owners are looked up without regard to
 * case. An address verified by a link is compared exactly, since the database treats some letters as equal (İ and i)
 * that mail servers do not.
 */
export class EmailRows extends Context.Service<
  EmailRows,
  {
    readonly user: (userId: number) => Effect.Effect<Option.Option<MailedUser>, DatabaseUnavailable>
    /** The user with the address. None for users who log in through a plugin: their passwords are not here. */
    readonly userByEmail: (email: string) => Effect.Effect<Option.Option<MailedUser>, DatabaseUnavailable>
    /** The latest users who want to change to the address. */
    readonly waitingFor: (email: string) => Effect.Effect<ReadonlyArray<MailedUser>, DatabaseUnavailable>
    /** The pending registration with the address, if the address is not verified. */
    readonly registrationByEmail: (
      email: string
    ) => Effect.Effect<Option.Option<MailedRegistration>, DatabaseUnavailable>
    /** Marks the address as verified. False: the user has another address by now. */
    readonly verified: (userId: number, email: string) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Stores the address that a user wants to change to; null: none. Fails if another user has it. */
    readonly setPending: (userId: number, email: string | null) => Effect.Effect<void, EmailTaken | DatabaseUnavailable>
    /** Changes the address at once, unverified, and returns the user as they were before. None: no such user. */
    readonly change: (
      userId: number,
      email: string
    ) => Effect.Effect<Option.Option<MailedUser>, EmailTaken | DatabaseUnavailable>
    /** Makes the pending address the user's, verified. None: the user no longer waits for it. */
    readonly confirmChange: (
      userId: number,
      email: string
    ) => Effect.Effect<Option.Option<MailedUser>, EmailTaken | DatabaseUnavailable>
    readonly registrationExists: (registrationId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** The same for a registration, and for the user created from it. False: it has another address. */
    readonly registrationVerified: (
      registrationId: number,
      email: string
    ) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/verification/EmailRows") {
  static readonly layer = Layer.effect(
    EmailRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const columns = sql`id, username::text as username, email::text as email, pending_email::text as "pendingEmail",
        email_verified as "emailVerified"`

      const user = Effect.fn("EmailRows.user")(function* (userId: number) {
        const rows = yield* sql<MailedUser>`select ${columns} from app_user where id = ${userId}`
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const userByEmail = Effect.fn("EmailRows.userByEmail")(function* (email: string) {
        const rows = yield* sql<MailedUser>`
          select ${columns} from app_user where email = ${email}::citext and plugin_auth is null
        `
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const waitingFor = Effect.fn("EmailRows.waitingFor")(function* (email: string) {
        return yield* sql<MailedUser>`
          select ${columns} from app_user where pending_email = ${email}::citext
          order by updated_at desc, id limit ${maxWaiting}
        `
      }, withDatabaseErrors)

      const registrationByEmail = Effect.fn("EmailRows.registrationByEmail")(function* (email: string) {
        const rows = yield* sql<MailedRegistration>`
          select id, username::text as username, email::text as email from user_registration
          where email = ${email}::citext and state = 1 and email_verified is not true
        `
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const verified = Effect.fn("EmailRows.verified")(function* (userId: number, email: string) {
        const rows = yield* sql`
          update app_user set email_verified = true, updated_at = now()
          where id = ${userId} and email::text = ${email} returning id
        `
        return rows.length > 0
      }, withDatabaseErrors)

      /** If two users take one address at once, the unique index lets only one succeed. */
      const orTaken = <A>(email: string, statement: Effect.Effect<A, SqlError>) =>
        Effect.catch(statement, (error): Effect.Effect<never, SqlError | EmailTaken> =>
          Effect.fail(error.reason._tag === "UniqueViolation" ? new EmailTaken({ email }) : error)
        )

      const setPending = Effect.fn("EmailRows.setPending")(function* (userId: number, email: string | null) {
        const taken = yield* sql`select 1 from app_user where email = ${email}::citext and id <> ${userId}`
        if (email !== null && taken.length > 0) return yield* new EmailTaken({ email })
        yield* sql`update app_user set pending_email = ${email}::citext, updated_at = now() where id = ${userId}`
      }, withDatabaseErrors)

      /** A user's former values, locked while the statement changes them. */
      const former = (userId: number) => sql`(select ${columns} from app_user where id = ${userId} for update) former`

      const change = Effect.fn("EmailRows.change")(function* (userId: number, email: string) {
        const rows = yield* orTaken(
          email,
          sql<MailedUser>`
            update app_user u set email = ${email}::citext, pending_email = null, updated_at = now(),
              email_verified = case when u.email = ${email}::citext then u.email_verified end
            from ${former(userId)} where u.id = former.id returning former.*
          `
        )
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const confirmChange = Effect.fn("EmailRows.confirmChange")(function* (userId: number, email: string) {
        const rows = yield* orTaken(
          email,
          sql<MailedUser>`
            update app_user u set email = u.pending_email, email_verified = true, pending_email = null,
              updated_at = now()
            from ${former(userId)} where u.id = former.id and u.pending_email::text = ${email} returning former.*
          `
        )
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const registrationExists = Effect.fn("EmailRows.registrationExists")(function* (registrationId: number) {
        return (yield* sql`select 1 from user_registration where id = ${registrationId}`).length > 0
      }, withDatabaseErrors)

      const registrationVerified = Effect.fn("EmailRows.registrationVerified")(function* (
        registrationId: number,
        email: string
      ) {
        const rows = yield* sql`
          with registration as (
            update user_registration set email_verified = true, updated_at = now()
            where id = ${registrationId} and email::text = ${email} returning user_id
          ), became as (
            update app_user set email_verified = true, updated_at = now()
            where id in (select user_id from registration) and email::text = ${email}
          )
          select 1 from registration
        `
        return rows.length > 0
      }, withDatabaseErrors)

      return EmailRows.of({
        user,
        userByEmail,
        waitingFor,
        registrationByEmail,
        verified,
        setPending,
        change,
        confirmChange,
        registrationExists,
        registrationVerified
      })
    })
  )
}
