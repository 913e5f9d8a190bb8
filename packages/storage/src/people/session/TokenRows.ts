import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/**
 * If a replaced refresh token is used again within this many seconds, it counts as a client that asked twice at once.
 */
const raceSeconds = 60

/** Digests of a pair of tokens and their lifetimes, in seconds from now. */
export interface NewTokens {
  readonly accessHash: Uint8Array
  readonly refreshHash: Uint8Array
  readonly accessSeconds: number
  readonly refreshSeconds: number
  readonly device: string | null
  readonly ip: string | null
}

/** The session of an access token, with its user. */
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
  /** The user's NSFW choices as stored. Null where nothing was chosen. */
  readonly nsfwPolicy: string | null
  readonly nsfwFlagsHidden: string | null
  readonly nsfwFlagsDisplayed: string | null
  readonly nsfwFlagsWarned: string | null
  readonly nsfwFlagsBlurred: string | null
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  readonly lastActivityAt: number
}

/** A session as its user sees it, with times in API format. */
export interface ListedSession {
  readonly id: number
  readonly loginDevice: string
  readonly loginIP: string
  readonly loginDate: string
  readonly lastActivityDevice: string
  readonly lastActivityIP: string
  readonly lastActivityDate: string
  readonly createdAt: string
}

export interface SessionPage {
  readonly start: number
  readonly count: number
  readonly descending: boolean
}

/** Access and refresh tokens. Only their SHA-256 digests are stored. Blocked users have no valid token. */
export class TokenRows extends Context.Service<
  TokenRows,
  {
    /**
     * Starts a session, if the user still has the password hash that was compared: a login in progress must not succeed
     * after the password was changed. Returns whether it started.
     */
    readonly insert: (
      clientId: number,
      user: { readonly id: number; readonly passwordHash: string },
      tokens: NewTokens
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** The session of an access token that has not expired. */
    readonly byAccessToken: (hash: Uint8Array) => Effect.Effect<Option.Option<TokenSession>, DatabaseUnavailable>
    /** A session that can still be renewed, by its id. `expiresAt` is the end of its refresh token. */
    readonly bySession: (tokenId: number) => Effect.Effect<Option.Option<TokenSession>, DatabaseUnavailable>
    /**
     * Replaces the token pair with this refresh digest, at most once: if two requests use the same token, one gets the
     * session's id, the other none. The old access token becomes invalid too.
     */
    readonly rotate: (
      clientId: number,
      refreshHash: Uint8Array,
      tokens: NewTokens
    ) => Effect.Effect<Option.Option<number>, DatabaseUnavailable>
    /**
     * Ends the session of a refresh token that was replaced too long ago for a client race: somebody has a copy of it
     * (RFC 9700, 4.14.2). Returns the session's id.
     */
    readonly endReused: (refreshHash: Uint8Array) => Effect.Effect<Option.Option<number>, DatabaseUnavailable>
    readonly revoke: (tokenId: number) => Effect.Effect<void, DatabaseUnavailable>
    /** Ends a session if it belongs to this user. Returns whether it did. */
    readonly revokeOf: (userId: number, tokenId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Notes that the user has just confirmed the password in this session. False: the session has ended. */
    readonly confirm: (tokenId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Whether the user confirmed the password in this session, or logged in, within this many seconds. */
    readonly isConfirmed: (tokenId: number, withinSeconds: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Ends all sessions of a user except one. */
    readonly revokeAll: (userId: number, except: number | undefined) => Effect.Effect<void, DatabaseUnavailable>
    /** Sessions of a user that can still be renewed, by start time. */
    readonly list: (
      userId: number,
      page: SessionPage
    ) => Effect.Effect<{ readonly total: number; readonly data: ReadonlyArray<ListedSession> }, DatabaseUnavailable>
    /** Records when and from where the session was last used, at most once a minute. */
    readonly touch: (
      tokenId: number,
      device: string | null,
      ip: string | null
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** Deletes sessions that can no longer be renewed. Returns how many. */
    readonly prune: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/sessions/TokenRows") {
  static readonly layer = Layer.effect(
    TokenRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      // The lock makes it wait for a password change that is being committed, and makes a later change see the session.
      const insert = Effect.fn("TokenRows.insert")(function* (
        clientId: number,
        user: { readonly id: number; readonly passwordHash: string },
        tokens: NewTokens
      ) {
        const rows = yield* sql`
          insert into oauth_token (access_token_hash, access_expires_at, refresh_token_hash, refresh_expires_at,
            oauth_client_id, user_id, login_device, login_ip, last_activity_device, last_activity_ip)
          select ${tokens.accessHash}::bytea, now() + make_interval(secs => ${tokens.accessSeconds}::float8),
            ${tokens.refreshHash}::bytea, now() + make_interval(secs => ${tokens.refreshSeconds}::float8),
            ${clientId}::int, u.id, ${tokens.device}::text, ${tokens.ip}::text, ${tokens.device}::text,
            ${tokens.ip}::text
          from (
            select id from app_user where id = ${user.id} and password_hash = ${user.passwordHash} for share
          ) u
          returning id
        `
        return rows.length > 0
      }, withDatabaseErrors)

      /** Columns of a session. `expiry` is the column for `expiresAt`. */
      const session = (expiry: "access_expires_at" | "refresh_expires_at") => sql`
          select t.id as "tokenId", u.id as "userId", u.username::text as username, u.role,
            u.admin_flags as "adminFlags", u.video_quota as "videoQuota", u.video_quota_daily as "videoQuotaDaily",
            a.id as "accountId", ac.preferred_username::text as "accountName",
            u.preferences ->> 'nsfwPolicy' as "nsfwPolicy",
            u.preferences ->> 'nsfwFlagsHidden' as "nsfwFlagsHidden",
            u.preferences ->> 'nsfwFlagsDisplayed' as "nsfwFlagsDisplayed",
            u.preferences ->> 'nsfwFlagsWarned' as "nsfwFlagsWarned",
            u.preferences ->> 'nsfwFlagsBlurred' as "nsfwFlagsBlurred",
            extract(epoch from t.${sql(expiry)})::float8 * 1000 as "expiresAt",
            extract(epoch from t.last_activity_at)::float8 * 1000 as "lastActivityAt"
          from oauth_token t
          join app_user u on u.id = t.user_id
          join account a on a.user_id = u.id
          join actor ac on ac.id = a.actor_id
          where t.${sql(expiry)} > now() and not u.blocked
        `

      const byAccessToken = Effect.fnUntraced(function* (hash: Uint8Array) {
        const rows = yield* sql<TokenSession>`${session("access_expires_at")} and t.access_token_hash = ${hash}`
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const bySession = Effect.fnUntraced(function* (tokenId: number) {
        const rows = yield* sql<TokenSession>`${session("refresh_expires_at")} and t.id = ${tokenId}`
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const rotate = Effect.fn("TokenRows.rotate")(function* (
        clientId: number,
        refreshHash: Uint8Array,
        tokens: NewTokens
      ) {
        const rows = yield* sql<{ id: number }>`
          with renewed as (
            update oauth_token t set
              access_token_hash = ${tokens.accessHash},
              access_expires_at = now() + make_interval(secs => ${tokens.accessSeconds}::float8),
              refresh_token_hash = ${tokens.refreshHash},
              refresh_expires_at = now() + make_interval(secs => ${tokens.refreshSeconds}::float8),
              last_activity_device = ${tokens.device}, last_activity_ip = ${tokens.ip}, last_activity_at = now()
            from app_user u, (
              select id, refresh_expires_at from oauth_token where refresh_token_hash = ${refreshHash} for update
            ) old
            where t.id = old.id and u.id = t.user_id and not u.blocked and t.oauth_client_id = ${clientId}
              and old.refresh_expires_at > now()
            returning t.id, old.refresh_expires_at
          ), used as (
            insert into oauth_refresh_used (hash, token_id, expires_at)
            select ${refreshHash}, id, refresh_expires_at from renewed
          )
          select id from renewed
        `
        return Option.map(Option.fromUndefinedOr(rows[0]), (row) => row.id)
      }, withDatabaseErrors)

      const endReused = Effect.fn("TokenRows.endReused")(function* (refreshHash: Uint8Array) {
        const rows = yield* sql<{ id: number }>`
          delete from oauth_token t using oauth_refresh_used r
          where r.hash = ${refreshHash} and r.token_id = t.id
            and r.used_at < now() - make_interval(secs => ${raceSeconds}::float8)
          returning t.id
        `
        return Option.map(Option.fromUndefinedOr(rows[0]), (row) => row.id)
      }, withDatabaseErrors)

      const confirm = Effect.fn("TokenRows.confirm")(function* (tokenId: number) {
        const rows = yield* sql`update oauth_token set confirmed_at = now() where id = ${tokenId} returning id`
        return rows.length > 0
      }, withDatabaseErrors)

      const isConfirmed = Effect.fn("TokenRows.isConfirmed")(function* (tokenId: number, withinSeconds: number) {
        const rows = yield* sql`
          select 1 from oauth_token where id = ${tokenId}
            and greatest(login_at, confirmed_at) > now() - ${withinSeconds} * interval '1 second'`
        return rows.length > 0
      }, withDatabaseErrors)

      const revoke = Effect.fn("TokenRows.revoke")(function* (tokenId: number) {
        yield* sql`delete from oauth_token where id = ${tokenId}`
      }, withDatabaseErrors)

      const revokeOf = Effect.fn("TokenRows.revokeOf")(function* (userId: number, tokenId: number) {
        const rows = yield* sql<{ id: number }>`
          delete from oauth_token where id = ${tokenId} and user_id = ${userId} returning id
        `
        return rows.length > 0
      }, withDatabaseErrors)

      const revokeAll = Effect.fn("TokenRows.revokeAll")(function* (userId: number, except: number | undefined) {
        yield* sql`delete from oauth_token where user_id = ${userId} and id <> ${except ?? 0}`
      }, withDatabaseErrors)

      const list = Effect.fn("TokenRows.list")(function* (userId: number, { count, descending, start }: SessionPage) {
        const totals = yield* sql<{ total: number }>`
          select count(*)::int as total from oauth_token where user_id = ${userId} and refresh_expires_at > now()
        `
        const total = totals[0]!.total
        if (count === 0) return { total, data: [] }
        const direction = sql.literal(descending ? "desc" : "asc")
        const data = yield* sql<ListedSession>`
          select id, coalesce(login_device, '') as "loginDevice", coalesce(login_ip, '') as "loginIP",
            wire_time(login_at) as "loginDate", coalesce(last_activity_device, '') as "lastActivityDevice",
            coalesce(last_activity_ip, '') as "lastActivityIP", wire_time(last_activity_at) as "lastActivityDate",
            wire_time(created_at) as "createdAt"
          from oauth_token where user_id = ${userId} and refresh_expires_at > now()
          order by created_at ${direction}, id ${direction} limit ${count} offset ${start}
        `
        return { total, data }
      }, withDatabaseErrors)

      const touch = Effect.fnUntraced(function* (tokenId: number, device: string | null, ip: string | null) {
        yield* sql`
          update oauth_token set last_activity_at = now(), last_activity_device = ${device}, last_activity_ip = ${ip}
          where id = ${tokenId} and last_activity_at < now() - interval '1 minute'
        `
      }, withDatabaseErrors)

      const prune = Effect.gen(function* () {
        const rows = yield* sql<{ id: number }>`delete from oauth_token where refresh_expires_at < now() returning id`
        yield* sql`delete from oauth_refresh_used where expires_at < now()`
        return rows.length
      }).pipe(withDatabaseErrors, Effect.withSpan("TokenRows.prune"))

      return TokenRows.of({
        insert,
        byAccessToken,
        bySession,
        rotate,
        endReused,
        confirm,
        isConfirmed,
        revoke,
        revokeOf,
        revokeAll,
        list,
        touch,
        prune
      })
    })
  )
}
