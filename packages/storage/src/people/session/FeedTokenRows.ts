import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** A feed token as it is stored. */
export interface StoredFeedToken {
  readonly sealed: string
  /** SHA-256 of the token. */
  readonly hash: Uint8Array
}

/** Tokens of users' private feeds. */
export class FeedTokenRows extends Context.Service<
  FeedTokenRows,
  {
    /** The sealed token. None: the user has none yet. */
    readonly sealed: (userId: number) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
    /** Replaces the given token (null: none) by another. False if the user has a different one by now. */
    readonly replace: (
      userId: number,
      former: string | null,
      token: StoredFeedToken
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** The user of a token. None for blocked users. */
    readonly userOf: (hash: Uint8Array) => Effect.Effect<Option.Option<number>, DatabaseUnavailable>
  }
>()("@kinora/storage/feeds/FeedTokenRows") {
  static readonly layer = Layer.effect(
    FeedTokenRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const sealed = Effect.fn("FeedTokenRows.sealed")(function* (userId: number) {
        const rows = yield* sql<{ token: string | null }>`select feed_token as token from app_user where id = ${userId}`
        return Option.fromNullishOr(rows[0]?.token)
      }, withDatabaseErrors)

      const replace = Effect.fn("FeedTokenRows.replace")(function* (
        userId: number,
        former: string | null,
        token: StoredFeedToken
      ) {
        const rows = yield* sql`
          update app_user set feed_token = ${token.sealed}, feed_token_hash = ${token.hash}
          where id = ${userId} and feed_token is not distinct from ${former}::text returning id
        `
        return rows.length > 0
      }, withDatabaseErrors)

      const userOf = Effect.fn("FeedTokenRows.userOf")(function* (hash: Uint8Array) {
        const rows = yield* sql<{ id: number }>`select id from app_user where feed_token_hash = ${hash} and not blocked`
        return Option.map(Option.fromUndefinedOr(rows[0]), ({ id }) => id)
      }, withDatabaseErrors)

      return FeedTokenRows.of({ sealed, replace, userOf })
    })
  )
}
