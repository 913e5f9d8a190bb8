import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../database/Database.ts"

/** Digests of a pair of tokens and how long they live, in seconds from now. */
export interface NewTokens {
  readonly accessHash: Uint8Array
  readonly refreshHash: Uint8Array
  readonly accessSeconds: number
  readonly refreshSeconds: number
  readonly device: string | null
  readonly ip: string | null
}

/** The session an access token belongs to, with its user. */
export interface TokenSession {
  readonly tokenId: number
  readonly userId: number
  readonly username: string
  readonly role: number
  readonly adminFlags: number
  readonly videoQuota: number
  readonly videoQuotaDaily: number
  readonly accountId: number
  readonly accountName: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  readonly lastActivityAt: number
}

/** Access and refresh tokens. Only their SHA-256 digests are kept; blocked users have no valid token. */
export class TokenRows extends Context.Service<
  TokenRows,
  {
    readonly insert: (clientId: number, userId: number, tokens: NewTokens) => Effect.Effect<void, DatabaseUnavailable>
    /** The session of an access token that is not expired. */
    readonly byAccessToken: (hash: Uint8Array) => Effect.Effect<Option.Option<TokenSession>, DatabaseUnavailable>
    /**
     * Replaces the pair whose refresh token has this digest, at most once: of two that try with the same token one
     * gets the user's id, the other none. The old access token ends with it.
     */
    readonly rotate: (
      clientId: number,
      refreshHash: Uint8Array,
      tokens: NewTokens
    ) => Effect.Effect<Option.Option<number>, DatabaseUnavailable>
    readonly revoke: (tokenId: number) => Effect.Effect<void, DatabaseUnavailable>
    /** Notes when and whence the session was last used; does nothing within a minute of the last note. */
    readonly touch: (
      tokenId: number,
      device: string | null,
      ip: string | null
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** Deletes sessions that cannot be refreshed any more and gives their number. */
    readonly prune: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/sessions/TokenRows") {
  static readonly layer = Layer.effect(
    TokenRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const insert = Effect.fn("TokenRows.insert")(function* (clientId: number, userId: number, tokens: NewTokens) {
        yield* sql`
          insert into oauth_token (access_token_hash, access_expires_at, refresh_token_hash, refresh_expires_at,
            oauth_client_id, user_id, login_device, login_ip, last_activity_device, last_activity_ip)
          values (${tokens.accessHash}, now() + make_interval(secs => ${tokens.accessSeconds}::float8),
            ${tokens.refreshHash}, now() + make_interval(secs => ${tokens.refreshSeconds}::float8),
            ${clientId}, ${userId}, ${tokens.device}, ${tokens.ip}, ${tokens.device}, ${tokens.ip})
        `
      }, withDatabaseErrors)

      const byAccessToken = Effect.fnUntraced(function* (hash: Uint8Array) {
        const rows = yield* sql<TokenSession>`
          select t.id as "tokenId", u.id as "userId", u.username::text as username, u.role,
            u.admin_flags as "adminFlags", u.video_quota as "videoQuota", u.video_quota_daily as "videoQuotaDaily",
            a.id as "accountId", ac.preferred_username::text as "accountName",
            extract(epoch from t.access_expires_at)::float8 * 1000 as "expiresAt",
            extract(epoch from t.last_activity_at)::float8 * 1000 as "lastActivityAt"
          from oauth_token t
          join app_user u on u.id = t.user_id
          join account a on a.user_id = u.id
          join actor ac on ac.id = a.actor_id
          where t.access_token_hash = ${hash} and t.access_expires_at > now() and not u.blocked
        `
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const rotate = Effect.fn("TokenRows.rotate")(function* (
        clientId: number,
        refreshHash: Uint8Array,
        tokens: NewTokens
      ) {
        const rows = yield* sql<{ userId: number }>`
          update oauth_token t set
            access_token_hash = ${tokens.accessHash},
            access_expires_at = now() + make_interval(secs => ${tokens.accessSeconds}::float8),
            refresh_token_hash = ${tokens.refreshHash},
            refresh_expires_at = now() + make_interval(secs => ${tokens.refreshSeconds}::float8),
            last_activity_device = ${tokens.device}, last_activity_ip = ${tokens.ip}, last_activity_at = now()
          from app_user u
          where u.id = t.user_id and not u.blocked and t.oauth_client_id = ${clientId}
            and t.refresh_token_hash = ${refreshHash} and t.refresh_expires_at > now()
          returning t.user_id as "userId"
        `
        return Option.map(Option.fromUndefinedOr(rows[0]), (row) => row.userId)
      }, withDatabaseErrors)

      const revoke = Effect.fn("TokenRows.revoke")(function* (tokenId: number) {
        yield* sql`delete from oauth_token where id = ${tokenId}`
      }, withDatabaseErrors)

      const touch = Effect.fnUntraced(function* (tokenId: number, device: string | null, ip: string | null) {
        yield* sql`
          update oauth_token set last_activity_at = now(), last_activity_device = ${device}, last_activity_ip = ${ip}
          where id = ${tokenId} and last_activity_at < now() - interval '1 minute'
        `
      }, withDatabaseErrors)

      const prune = Effect.gen(function* () {
        const rows = yield* sql<{ id: number }>`delete from oauth_token where refresh_expires_at < now() returning id`
        return rows.length
      }).pipe(withDatabaseErrors, Effect.withSpan("TokenRows.prune"))

      return TokenRows.of({ insert, byAccessToken, rotate, revoke, touch, prune })
    })
  )
}
