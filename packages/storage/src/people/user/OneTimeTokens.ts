import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** Purpose of a token. It is valid for nothing else. */
export type TokenPurpose =
  | "verify-email"
  | "change-email"
  | "verify-registration"
  | "reset-password"
  | "create-password"
  | "two-factor"

/** The owner of a token. */
export type TokenOwner =
  | { readonly _tag: "User"; readonly userId: number }
  | { readonly _tag: "Registration"; readonly registrationId: number }

export interface NewOneTimeToken {
  /** SHA-256 of the token. */
  readonly hash: Uint8Array
  readonly purpose: TokenPurpose
  readonly owner: TokenOwner
  readonly lifetimeSeconds: number
  /** How many tokens of the owner and purpose may be valid at once, including this one. The oldest are deleted. */
  readonly atOnce: number
  /** Any JSON value, returned when the token is used. */
  readonly payload?: unknown
}

/**
 * Links and tokens that work once, before they expire, for one owner and one purpose. Calls inside
 * `sql.withTransaction` take part in it: a token is used up when its effect is committed.
 */
export class OneTimeTokens extends Context.Service<
  OneTimeTokens,
  {
    /** Writes a token. Of the same owner and purpose only the newest others stay, see `atOnce`. */
    readonly issue: (token: NewOneTimeToken) => Effect.Effect<void, DatabaseUnavailable>
    /** Uses a token up and returns its payload. None if there is no such token for this owner and purpose. */
    readonly take: (
      hash: Uint8Array,
      purpose: TokenPurpose,
      owner: TokenOwner
    ) => Effect.Effect<Option.Option<unknown>, DatabaseUnavailable>
    /** The payload of a token, without using it up. */
    readonly read: (
      hash: Uint8Array,
      purpose: TokenPurpose,
      owner: TokenOwner
    ) => Effect.Effect<Option.Option<unknown>, DatabaseUnavailable>
    /** Deletes every token of a purpose. */
    readonly end: (purpose: TokenPurpose, owner: TokenOwner) => Effect.Effect<void, DatabaseUnavailable>
    /** Deletes expired ones. Returns how many. */
    readonly prune: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/users/OneTimeTokens") {
  static readonly layer = Layer.effect(
    OneTimeTokens,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const owned = (owner: TokenOwner) =>
        owner._tag === "User" ? sql`user_id = ${owner.userId}` : sql`registration_id = ${owner.registrationId}`

      const issue = Effect.fn("OneTimeTokens.issue")(
        function* (token: NewOneTimeToken) {
          const { owner } = token
          yield* sql`
            delete from one_time_token where hash in (
              select hash from one_time_token where purpose = ${token.purpose} and ${owned(owner)}
              order by created_at desc offset ${token.atOnce - 1}
            )
          `
          yield* sql`
            insert into one_time_token (hash, purpose, user_id, registration_id, payload, expires_at)
            values (${token.hash}, ${token.purpose}, ${owner._tag === "User" ? owner.userId : null}::int,
              ${owner._tag === "Registration" ? owner.registrationId : null}::int,
              ${JSON.stringify(token.payload ?? null)}::text::jsonb,
              now() + make_interval(secs => ${token.lifetimeSeconds}::float8))
          `
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const take = Effect.fn("OneTimeTokens.take")(function* (
        hash: Uint8Array,
        purpose: TokenPurpose,
        owner: TokenOwner
      ) {
        const rows = yield* sql<{ payload: unknown }>`
          delete from one_time_token
          where hash = ${hash} and purpose = ${purpose} and ${owned(owner)} and expires_at > now()
          returning payload
        `
        return Option.map(Option.fromUndefinedOr(rows[0]), (row) => row.payload)
      }, withDatabaseErrors)

      const read = Effect.fn("OneTimeTokens.read")(function* (
        hash: Uint8Array,
        purpose: TokenPurpose,
        owner: TokenOwner
      ) {
        const rows = yield* sql<{ payload: unknown }>`
          select payload from one_time_token
          where hash = ${hash} and purpose = ${purpose} and ${owned(owner)} and expires_at > now()
        `
        return Option.map(Option.fromUndefinedOr(rows[0]), (row) => row.payload)
      }, withDatabaseErrors)

      const end = Effect.fn("OneTimeTokens.end")(function* (purpose: TokenPurpose, owner: TokenOwner) {
        yield* sql`delete from one_time_token where purpose = ${purpose} and ${owned(owner)}`
      }, withDatabaseErrors)

      const prune = Effect.gen(function* () {
        const rows = yield* sql<{ hash: Uint8Array }>`
          delete from one_time_token where expires_at < now() returning hash
        `
        return rows.length
      }).pipe(withDatabaseErrors, Effect.withSpan("OneTimeTokens.prune"))

      return OneTimeTokens.of({ issue, take, read, end, prune })
    })
  )
}
