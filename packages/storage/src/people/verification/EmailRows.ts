import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { EmailTaken } from "../user/NewUser.ts"

/** Who is written to. */
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

/** Most users who may wait for one address at once and are written to: nothing keeps two from trying the same. */
const mostWaiting = 3

/**
 * Addresses of users and registrations, and what is known of them. Whose an address is, is asked without regard to case;
 * what a link proved is compared letter by letter, since the database takes some letters for others (İ for i) and mail
 * servers do not.
 */
export class EmailRows extends Context.Service<
  EmailRows,
  {
    readonly user: (userId: number) => Effect.Effect<Option.Option<MailedUser>, DatabaseUnavailable>
    /** The user with the address; none for users who log in through a plugin: their passwords are not here. */
    readonly userByEmail: (email: string) => Effect.Effect<Option.Option<MailedUser>, DatabaseUnavailable>
    /** The latest users who want to change to the address. */
    readonly waitingFor: (email: string) => Effect.Effect<ReadonlyArray<MailedUser>, DatabaseUnavailable>
    /** The registration with the address that waits for a moderator and whose address is not verified. */
    readonly registrationByEmail: (
      email: string
    ) => Effect.Effect<Option.Option<MailedRegistration>, DatabaseUnavailable>
    /** Notes that the user has the address; false: it is not the user's any more. */
    readonly verified: (userId: number, email: string) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Notes the address a user wants to change to; null: none. Fails when another user has it. */
    readonly setPending: (userId: number, email: string | null) => Effect.Effect<void, EmailTaken | DatabaseUnavailable>
    /** Changes the address at once, unverified, and gives the user as they were before; none: no such user. */
    readonly change: (
      userId: number,
      email: string
    ) => Effect.Effect<Option.Option<MailedUser>, EmailTaken | DatabaseUnavailable>
    /** Makes the address the user waits for theirs, verified; none: the user does not wait for it any more. */
    readonly confirmChange: (
      userId: number,
      email: string
    ) => Effect.Effect<Option.Option<MailedUser>, EmailTaken | DatabaseUnavailable>
    readonly registrationExists: (registrationId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** The same for a registration, and for the user it has become; false: it has another address. */
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
          order by updated_at desc, id limit ${mostWaiting}
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

      /** Two users who take one address at once: the unique index lets one of them have it. */
      const orTaken = <A>(email: string, statement: Effect.Effect<A, SqlError>) =>
        Effect.catch(statement, (error): Effect.Effect<never, SqlError | EmailTaken> =>
          Effect.fail(error.reason._tag === "UniqueViolation" ? new EmailTaken({ email }) : error)
        )

      const setPending = Effect.fn("EmailRows.setPending")(function* (userId: number, email: string | null) {
        const taken = yield* sql`select 1 from app_user where email = ${email}::citext and id <> ${userId}`
        if (email !== null && taken.length > 0) return yield* new EmailTaken({ email })
        yield* sql`update app_user set pending_email = ${email}::citext, updated_at = now() where id = ${userId}`
      }, withDatabaseErrors)

      /** A user as it was, held while the statement changes it. */
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
