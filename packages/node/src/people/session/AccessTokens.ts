import { AuthServerError, InvalidToken } from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { SessionNotice } from "@kinora/storage/people/session/SessionNotices"
import { TokenRows } from "@kinora/storage/people/session/TokenRows"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { isRecent } from "../../platform/memory/Recent.ts"
import { deviceOf } from "./Device.ts"
import { RememberedSessions } from "./RememberedSessions.ts"
import { sessionUser } from "./SessionUser.ts"
import { hashToken, isTokenShaped } from "./TokenHash.ts"

/**
 * How long what is remembered is trusted after the channel of notices was last heard, in milliseconds. It is heard every
 * other second (`SessionListener`): a connection that is dead without anybody having said so is noticed by its silence.
 */
const trustedFor = 5_000
const activityEvery = 60_000

/** Whence a request comes, as sessions note it. */
export interface Origin {
  readonly device: string | null
  readonly ip: string | null
}

/** What is kept of a request's origin. */
export const originOf = (userAgent: string | undefined, ip: string | undefined): Origin => ({
  device: deviceOf(userAgent),
  ip: ip ?? null
})

/** The same, for one that is rarely looked at. */
export type LazyOrigin = () => Origin

/**
 * Who an access token speaks for. What the database said is remembered for as long as the channel on which PostgreSQL
 * tells of changes is up, so that a client that asks often does not cost a query each time; a session that ends, and a
 * user who changes, are forgotten on every node when the notice arrives. Without the channel every request asks the
 * database.
 */
export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    readonly authenticate: (
      token: string,
      origin: Origin | LazyOrigin
    ) => Effect.Effect<CurrentUserShape, InvalidToken | AuthServerError>
    /** The user of a session that has not ended, whether or not its access token has expired. */
    readonly ofSession: (tokenId: number) => Effect.Effect<Option.Option<CurrentUserShape>, DatabaseUnavailable>
    /** Ends a session; on this node at once, on others when they are told. */
    readonly revoke: (tokenId: number) => Effect.Effect<void, DatabaseUnavailable>
    /** Ends a session of this user; false: the user has no such session. */
    readonly revokeOf: (userId: number, tokenId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Ends every session of a user but one; runs in the caller's transaction when there is one. */
    readonly revokeAll: (userId: number, exceptTokenId?: number) => Effect.Effect<void, DatabaseUnavailable>
    /** What a user's sessions say is asked anew; for callers who changed it, once that is committed. */
    readonly forget: (userId: number) => Effect.Effect<void>
    /** Takes what was heard on the channel of sessions. */
    readonly heed: (notice: SessionNotice) => Effect.Effect<void>
  }
>()("@kinora/node/sessions/AccessTokens") {
  static readonly layer = Layer.effect(
    AccessTokens,
    Effect.gen(function* () {
      const rows = yield* TokenRows
      const remembered = new RememberedSessions()
      let trustedUntil = 0
      /** Counts changes: what was asked for before one may not be remembered after it. */
      let changes = 0

      const noteActivity = (user: CurrentUserShape, origin: Origin | LazyOrigin) => {
        const { device, ip } = typeof origin === "function" ? origin() : origin
        return Effect.as(rows.touch(user.tokenId, device, ip), user)
      }

      const ask = Effect.fnUntraced(
        function* (token: string, now: number, origin: Origin | LazyOrigin) {
          if (!isTokenShaped(token)) return yield* new InvalidToken()
          const before = changes
          const found = yield* rows.byAccessToken(hashToken(token))
          if (Option.isNone(found)) return yield* new InvalidToken()
          const user = sessionUser(found.value)
          const { expiresAt, lastActivityAt } = found.value
          const isStale = now - lastActivityAt > activityEvery
          if (before === changes && isRecent(trustedUntil, now, trustedFor)) {
            remembered.add(token, { user, expiresAt, activityAt: isStale ? now : lastActivityAt })
          }
          return isStale ? yield* noteActivity(user, origin) : user
        },
        Effect.catchTag("DatabaseUnavailable", () => Effect.fail(new AuthServerError())),
        // Whatever went wrong, the client is told that it is not the token (contract: server_error).
        Effect.catchDefect((defect) =>
          Effect.andThen(
            Effect.logError("An access token could not be checked", defect),
            Effect.fail(new AuthServerError())
          )
        )
      )

      const authenticate = (token: string, origin: Origin | LazyOrigin) =>
        Effect.flatMap(
          Clock.currentTimeMillis,
          (now): Effect.Effect<CurrentUserShape, InvalidToken | AuthServerError> => {
            const known = remembered.get(token)
            if (known === undefined || known.expiresAt <= now || !isRecent(trustedUntil, now, trustedFor)) {
              return ask(token, now, origin)
            }
            if (now - known.activityAt <= activityEvery) return Effect.succeed(known.user)
            known.activityAt = now
            return Effect.mapError(noteActivity(known.user, origin), () => new AuthServerError())
          }
        )

      const ofSession = Effect.fnUntraced(function* (tokenId: number) {
        const now = yield* Clock.currentTimeMillis
        // No access token has a space in it.
        const name = `session ${tokenId}`
        const known = remembered.get(name)
        if (known !== undefined && known.expiresAt > now && isRecent(trustedUntil, now, trustedFor)) {
          return Option.some(known.user)
        }
        const before = changes
        const found = yield* rows.bySession(tokenId)
        if (Option.isNone(found)) return Option.none<CurrentUserShape>()
        const user = sessionUser(found.value)
        if (before === changes && isRecent(trustedUntil, now, trustedFor)) {
          remembered.add(name, { user, expiresAt: found.value.expiresAt, activityAt: now })
        }
        return Option.some(user)
      })

      const forget = (userId: number) =>
        Effect.sync(() => {
          changes += 1
          remembered.removeUser(userId)
        })
      const forgetAll = Effect.sync(() => {
        changes += 1
        remembered.clear()
      })

      const revoke = Effect.fn("AccessTokens.revoke")(function* (tokenId: number) {
        yield* rows.revoke(tokenId)
        changes += 1
        const user = remembered.userOf(tokenId)
        if (user !== undefined) yield* forget(user)
      })

      const revokeOf = Effect.fn("AccessTokens.revokeOf")(function* (userId: number, tokenId: number) {
        const ended = yield* rows.revokeOf(userId, tokenId)
        yield* forget(userId)
        return ended
      })

      const revokeAll = Effect.fn("AccessTokens.revokeAll")(function* (userId: number, exceptTokenId?: number) {
        yield* rows.revokeAll(userId, exceptTokenId)
        yield* forget(userId)
      })

      const heed = Effect.fnUntraced(function* (notice: SessionNotice) {
        if (notice.kind === "up" || notice.kind === "down") {
          // That it is up is believed when something is heard: poolers between us and PostgreSQL drop notices.
          trustedUntil = 0
          return yield* forgetAll
        }
        trustedUntil = (yield* Clock.currentTimeMillis) + trustedFor
        if (notice.kind === "user") yield* forget(notice.userId)
      })

      return AccessTokens.of({ authenticate, ofSession, revoke, revokeOf, revokeAll, forget, heed })
    })
  )
}
