import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"

/** Beyond this many, the oldest is forgotten. */
const max = 10_000

export interface RememberedSession {
  readonly user: CurrentUserShape
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  activityAt: number
}

/**
 * Sessions by access token, or by another name that leads to one, and the tokens of each user. Bounded in size. The
 * caller keeps it up to date.
 */
export class RememberedSessions {
  private readonly byToken = new Map<string, RememberedSession>()
  private readonly byUser = new Map<number, Set<string>>()

  get(token: string): RememberedSession | undefined {
    return this.byToken.get(token)
  }

  add(token: string, session: RememberedSession): void {
    this.remove(token)
    if (this.byToken.size >= max) this.remove(this.byToken.keys().next().value!)
    this.byToken.set(token, session)
    const tokens = this.byUser.get(session.user.id)
    if (tokens === undefined) this.byUser.set(session.user.id, new Set([token]))
    else tokens.add(token)
  }

  remove(token: string): void {
    const session = this.byToken.get(token)
    if (session === undefined) return
    this.byToken.delete(token)
    const tokens = this.byUser.get(session.user.id)
    tokens?.delete(token)
    if (tokens?.size === 0) this.byUser.delete(session.user.id)
  }

  removeUser(userId: number): void {
    for (const token of this.byUser.get(userId) ?? []) this.byToken.delete(token)
    this.byUser.delete(userId)
  }

  /** The user of a session, if the session is remembered. */
  userOf(tokenId: number): number | undefined {
    for (const session of this.byToken.values()) if (session.user.tokenId === tokenId) return session.user.id
    return undefined
  }

  clear(): void {
    this.byToken.clear()
    this.byUser.clear()
  }
}
