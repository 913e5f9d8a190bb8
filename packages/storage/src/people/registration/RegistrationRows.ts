import type { UserRegistrationState } from "@kinora/domain/enums/UserRegistrationState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** A registration to write. */
export interface NewRegistration {
  readonly username: string
  readonly email: string
  /** False while the address is not verified. Null if that is not required. */
  readonly emailVerified: boolean | null
  readonly passwordHash: string
  readonly reason: string
  readonly displayName: string | null
  readonly channelName: string | null
  readonly channelDisplayName: string | null
}

/** A registration for display. Null names were not chosen. Times are ISO 8601 in UTC. */
export interface RegistrationRow {
  readonly id: number
  readonly state: UserRegistrationState
  readonly username: string
  readonly email: string
  readonly emailVerified: boolean | null
  readonly reason: string
  readonly moderationResponse: string | null
  readonly displayName: string | null
  readonly channelName: string | null
  readonly channelDisplayName: string | null
  readonly userId: number | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The same with the password hash. An accepted one has no hash any more. */
export interface DecidableRegistration extends RegistrationRow {
  readonly passwordHash: string | null
}

/** The user created from a registration, with the names they really got. */
export interface Acceptance {
  readonly userId: number
  readonly moderationResponse: string
  readonly displayName: string
  readonly channelName: string
  readonly channelDisplayName: string
}

/** What prevents creating a user from a registration, because somebody else has it by now. */
export interface Obstacles {
  readonly username: boolean
  readonly email: boolean
  readonly channelName: boolean
}

/** The columns of {@link RegistrationRow}, from the table named `r`. */
export const registrationColumns = (sql: SqlClient) => sql`
  r.id, r.state, r.username::text as username, r.email::text as email, r.email_verified as "emailVerified",
  r.registration_reason as reason, r.moderation_response as "moderationResponse",
  r.account_display_name as "displayName", r.channel_handle::text as "channelName",
  r.channel_display_name as "channelDisplayName", r.user_id as "userId",
  wire_time(r.created_at) as "createdAt", wire_time(r.updated_at) as "updatedAt"`

/** Single registrations. Calls inside `sql.withTransaction` take part in it. */
export class RegistrationRows extends Context.Service<
  RegistrationRows,
  {
    /** Writes a pending one. Its names and address must be free, see `SignupRows.inTurn`. */
    readonly insert: (registration: NewRegistration) => Effect.Effect<RegistrationRow, DatabaseUnavailable>
    readonly byId: (id: number) => Effect.Effect<Option.Option<DecidableRegistration>, DatabaseUnavailable>
    /** The same, locked until the transaction ends, so that nobody else decides meanwhile. */
    readonly hold: (id: number) => Effect.Effect<Option.Option<DecidableRegistration>, DatabaseUnavailable>
    /** Which of its names and address have been taken meanwhile. */
    readonly obstacles: (id: number) => Effect.Effect<Obstacles, DatabaseUnavailable>
    /** Records the new user and deletes the hash, which the user has now. */
    readonly accept: (id: number, acceptance: Acceptance) => Effect.Effect<void, DatabaseUnavailable>
    readonly reject: (id: number, moderationResponse: string) => Effect.Effect<void, DatabaseUnavailable>
    /** Returns whether there was one. */
    readonly remove: (id: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/registrations/RegistrationRows") {
  static readonly layer = Layer.effect(
    RegistrationRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = registrationColumns(sql)

      const insert = Effect.fn("RegistrationRows.insert")(function* (it: NewRegistration) {
        const rows = yield* sql<RegistrationRow>`
          insert into user_registration as r (username, email, email_verified, password_hash, registration_reason,
            account_display_name, channel_handle, channel_display_name)
          values (${it.username}, ${it.email}, ${it.emailVerified}::boolean, ${it.passwordHash}, ${it.reason},
            ${it.displayName}, ${it.channelName}, ${it.channelDisplayName})
          returning ${columns}
        `
        return rows[0]!
      }, withDatabaseErrors)

      const byId = Effect.fn("RegistrationRows.byId")(function* (id: number) {
        const rows = yield* sql<DecidableRegistration>`
          select ${columns}, r.password_hash as "passwordHash" from user_registration r where r.id = ${id}
        `
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const hold = Effect.fn("RegistrationRows.hold")(function* (id: number) {
        const rows = yield* sql<DecidableRegistration>`
          select ${columns}, r.password_hash as "passwordHash" from user_registration r where r.id = ${id} for update
        `
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const obstacles = Effect.fn("RegistrationRows.obstacles")(function* (id: number) {
        const rows = yield* sql<Obstacles>`
          select
            exists (select 1 from actor a where a.preferred_username = r.username and a.server_id is null) as username,
            exists (select 1 from app_user u where u.email = r.email) as email,
            exists (select 1 from actor a where a.preferred_username = r.channel_handle and a.server_id is null)
              as "channelName"
          from user_registration r where r.id = ${id}
        `
        return rows[0] ?? { username: false, email: false, channelName: false }
      }, withDatabaseErrors)

      const accept = Effect.fn("RegistrationRows.accept")(function* (id: number, it: Acceptance) {
        yield* sql`
          update user_registration set state = 3, password_hash = null, user_id = ${it.userId},
            moderation_response = ${it.moderationResponse}, account_display_name = ${it.displayName},
            channel_handle = ${it.channelName}, channel_display_name = ${it.channelDisplayName},
            processed_at = now(), updated_at = now()
          where id = ${id}
        `
      }, withDatabaseErrors)

      const reject = Effect.fn("RegistrationRows.reject")(function* (id: number, moderationResponse: string) {
        yield* sql`
          update user_registration set state = 2, moderation_response = ${moderationResponse}, processed_at = now(),
            updated_at = now()
          where id = ${id}
        `
      }, withDatabaseErrors)

      const remove = Effect.fn("RegistrationRows.remove")(function* (id: number) {
        const rows = yield* sql`delete from user_registration where id = ${id} returning id`
        return rows.length > 0
      }, withDatabaseErrors)

      return RegistrationRows.of({ insert, byId, hold, obstacles, accept, reject, remove })
    })
  )
}
