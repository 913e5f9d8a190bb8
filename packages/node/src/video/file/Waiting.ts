import { ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Effect } from "effect"

/** Requests that wait on this node at the same time. */
const mostWaiting = 20_000

/** Requests that wait for a live to go on. */
export interface Waiting {
  /** Waits until a question about a live has an answer. It is asked whenever the live changes. */
  readonly until: <A>(uuid: string, answer: () => A | undefined) => Effect.Effect<A, ServiceUnavailable>
  /** Says that a live changed. */
  readonly changed: (uuid: string) => void
}

/** @param most requests that may wait at the same time; others are refused */
export const makeWaiting = (most = mostWaiting): Waiting => {
  const lives = new Map<string, Set<() => void>>()
  let count = 0

  const until = <A>(uuid: string, answer: () => A | undefined): Effect.Effect<A, ServiceUnavailable> =>
    Effect.callback<A, ServiceUnavailable>((resume) => {
      const known = answer()
      if (known !== undefined) return resume(Effect.succeed(known))
      if (count >= most) {
        const reason = "Too many players wait for lives: try again in a second"
        return resume(Effect.fail(new ServiceUnavailable({ reason, retryAfterSeconds: 1 })))
      }
      const checks = lives.get(uuid) ?? new Set()
      lives.set(uuid, checks)
      const leave = () => {
        if (!checks.delete(check)) return
        count -= 1
        if (checks.size === 0 && lives.get(uuid) === checks) lives.delete(uuid)
      }
      const check = () => {
        const found = answer()
        if (found === undefined) return
        leave()
        resume(Effect.succeed(found))
      }
      checks.add(check)
      count += 1
      return Effect.sync(leave)
    })

  return {
    until,
    changed: (uuid) => {
      for (const check of [...(lives.get(uuid) ?? [])]) check()
    }
  }
}
