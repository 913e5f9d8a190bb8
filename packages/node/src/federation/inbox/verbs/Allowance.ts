import { Clock, Effect } from "effect"

const mostRemembered = 10_000

/**
 * How often each of many may do something: `burst` times at once, and so many times a minute afterwards (a token bucket each).
 * Answers whether it may once more. Those that were not heard of for the longest are forgotten.
 */
export const allowance = ({ burst, perMinute }: { readonly burst: number; readonly perMinute: number }) => {
  const known = new Map<string, { readonly left: number; readonly at: number }>()
  return Effect.fnUntraced(function* (key: string) {
    const at = yield* Clock.currentTimeMillis
    const before = known.get(key) ?? { left: burst, at }
    known.delete(key)
    if (known.size >= mostRemembered) known.delete(known.keys().next().value!)
    const left = Math.min(burst, before.left + ((at - before.at) / 60_000) * perMinute)
    known.set(key, { left: Math.max(0, left - 1), at })
    return left >= 1
  })
}
