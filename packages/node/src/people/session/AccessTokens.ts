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
 * Milliseconds that remembered sessions stay valid after the last notification. One arrives every other second
 * (`SessionListener`): a connection that died unnoticed shows by its silence.
 */
const trustedFor = 5_000
const activityEvery = 60_000

/** The origin of a request, as sessions record it. */
export interface Origin {
  readonly device: string | null
  readonly ip: string | null
}

/** The stored form of a request's origin. */
export const originOf = (userAgent: string | undefined, ip: string | undefined): Origin => ({
  device: deviceOf(userAgent),
  ip: ip ?? null
})

/** The same, computed only when needed, which is rare. */
export type LazyOrigin = () => Origin

/**
 * The user of an access token. Answers of the database are remembered while the PostgreSQL notification channel works,
 * so that frequent requests do not cost a query each. When a session ends or a user changes, every node forgets it as
 * soon as the notification arrives. Without the channel every request asks the database.
 */
export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    readonly authenticate: (
      token: string,
      origin: Origin | LazyOrigin
    ) => Effect.Effect<CurrentUserShape, InvalidToken | AuthServerError>
    /** The user of a session that has not ended, even if its access token has expired. */
    readonly ofSession: (tokenId: number) => Effect.Effect<Option.Option<CurrentUserShape>, DatabaseUnavailable>
    /** Ends a session: on this node at once, on others when the notification arrives. */
    readonly revoke: (tokenId: number) => Effect.Effect<void, DatabaseUnavailable>
    /** Ends a session of this user. False: the user has no such session. */
    readonly revokeOf: (userId: number, tokenId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Ends every session of a user except one. Takes part in the caller's transaction. */
    readonly revokeAll: (userId: number, exceptTokenId?: number) => Effect.Effect<void, DatabaseUnavailable>
    /** Forgets the remembered sessions of a user. Callers who changed the user call it after the commit. */
    readonly forget: (userId: number) => Effect.Effect<void>
    /** Handles a notification of the session channel. */
    readonly handle: (notice: SessionNotice) => Effect.Effect<void>
  }
>()("@kinora/node/sessions/AccessTokens") {
  static readonly layer = Layer.effect(
    AccessTokens,
    Effect.gen(function* () {
      const rows = yield* TokenRows
      const remembered = new RememberedSessions()
      let trustedUntil = 0
      /** Counts changes: an answer that was requested before a change must not be remembered after it. */
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
        // Whatever went wrong, the client learns that it was not the token (contract: server_error).
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
        // Access tokens never contain a space.
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

      const handle = Effect.fnUntraced(function* (notice: SessionNotice) {
        if (notice.kind === "up" || notice.kind === "down") {
          // The channel counts as working only once a notification arrives: some connection poolers drop them.
          trustedUntil = 0
          return yield* forgetAll
        }
        trustedUntil = (yield* Clock.currentTimeMillis) + trustedFor
        if (notice.kind === "user") yield* forget(notice.userId)
      })

      return AccessTokens.of({ authenticate, ofSession, revoke, revokeOf, revokeAll, forget, handle })
    })
  )
}
