import { AuthServerError, InvalidToken } from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { TokenRows, type TokenSession } from "@kinora/storage/sessions/TokenRows"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { isRecent } from "../instance/Recent.ts"
import { hashToken, isTokenShaped } from "./TokenHash.ts"

/** A token revoked on another node stops here within this time, in milliseconds; below the second that is promised. */
const trustedFor = 800
const mostRemembered = 10_000
const activityEvery = 60_000
const longestDevice = 200

/** Whence a request comes, as sessions note it. */
export interface Origin {
  readonly device: string | null
  readonly ip: string | null
}

interface Remembered {
  readonly user: CurrentUserShape
  readonly expiresAt: number
  readonly trustedUntil: number
  activityAt: number
}

const currentUser = (session: TokenSession): CurrentUserShape =>
  ({
    id: session.userId,
    username: session.username,
    role: session.role,
    adminFlags: session.adminFlags,
    accountId: session.accountId,
    accountName: session.accountName,
    videoQuota: session.videoQuota,
    videoQuotaDaily: session.videoQuotaDaily,
    tokenId: session.tokenId
  }) as CurrentUserShape

/** What is kept of a request's origin: never more than a reasonable length. */
export const originOf = (userAgent: string | undefined, ip: string | undefined): Origin => ({
  device: userAgent === undefined ? null : userAgent.slice(0, longestDevice).replaceAll("\u0000", ""),
  ip: ip ?? null
})

/**
 * Who an access token speaks for. What the database says is trusted for less than a second, so that a client that asks
 * often does not cost a query each time and a revoked token stops within a second on every node.
 */
export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    readonly authenticate: (
      token: string,
      origin: Origin
    ) => Effect.Effect<CurrentUserShape, InvalidToken | AuthServerError>
    /** Ends a session; on this node at once. */
    readonly revoke: (tokenId: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/sessions/AccessTokens") {
  static readonly layer = Layer.effect(
    AccessTokens,
    Effect.gen(function* () {
      const rows = yield* TokenRows
      const remembered = new Map<string, Remembered>()

      const remember = (token: string, entry: Remembered) => {
        remembered.delete(token)
        if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value!)
        remembered.set(token, entry)
      }

      const noteActivity = Effect.fnUntraced(function* (entry: Remembered, now: number, origin: Origin) {
        entry.activityAt = now
        yield* rows.touch(entry.user.tokenId, origin.device, origin.ip)
      })

      const authenticate = Effect.fnUntraced(
        function* (token: string, origin: Origin) {
          if (!isTokenShaped(token)) return yield* new InvalidToken()
          const now = yield* Clock.currentTimeMillis
          const known = remembered.get(token)
          if (known !== undefined && isRecent(known.trustedUntil, now, trustedFor) && known.expiresAt > now) {
            return known.user
          }
          const found = yield* rows.byAccessToken(hashToken(token))
          if (Option.isNone(found)) {
            remembered.delete(token)
            return yield* new InvalidToken()
          }
          const entry: Remembered = {
            user: currentUser(found.value),
            expiresAt: found.value.expiresAt,
            trustedUntil: now + trustedFor,
            activityAt: Math.max(found.value.lastActivityAt, known?.activityAt ?? 0)
          }
          remember(token, entry)
          if (now - entry.activityAt > activityEvery) yield* noteActivity(entry, now, origin)
          return entry.user
        },
        Effect.catchTag("DatabaseUnavailable", () => Effect.fail(new AuthServerError()))
      )

      const revoke = Effect.fn("AccessTokens.revoke")(function* (tokenId: number) {
        yield* rows.revoke(tokenId)
        for (const [token, entry] of remembered) if (entry.user.tokenId === tokenId) remembered.delete(token)
      })

      return AccessTokens.of({ authenticate, revoke })
    })
  )
}
