import { Clock, Effect } from "effect"

/** Keys that one client may have us ask for in vain at once, and how many more a second. */
const burst = 100
const perSecond = 1
const maxRemembered = 20_000

/**
 * How often a client, by its address, may have keys asked for that are not known here. Who names keys that are there gets each
 * one back, so that big instances with many new actors are not held up; who makes them up is refused before anybody is asked.
 */
export const keyAskers = () => {
  // In the order of last use.
  const clients = new Map<string, { left: number; at: number }>()

  const of = Effect.fnUntraced(function* (client: string) {
    const at = yield* Clock.currentTimeMillis
    const known = clients.get(client) ?? { left: burst, at }
    clients.delete(client)
    if (clients.size >= maxRemembered) clients.delete(clients.keys().next().value!)
    known.left = Math.min(burst, known.left + ((at - known.at) / 1_000) * perSecond)
    known.at = at
    clients.set(client, known)
    return known
  })

  return {
    /** False: this one asked too often. */
    take: (client: string) =>
      Effect.map(of(client), (known) => {
        if (known.left < 1) return false
        known.left -= 1
        return true
      }),
    /** The key was there. */
    giveBack: (client: string) => Effect.map(of(client), (known) => void (known.left = Math.min(burst, known.left + 1)))
  }
}
