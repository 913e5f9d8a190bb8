import type { Endpoint } from "../network/Endpoint.ts"
import { endpointName } from "../network/Endpoint.ts"

interface Known {
  readonly endpoint: Endpoint
  tries: number
  state: "waiting" | "inside" | "resting" | "banned"
  /** When it may be tried again. */
  at: number
}

/**
 * How a connection to a peer ended. `banned` is for what nobody sends by accident, and for peers that the guard
 * refuses.
 */
export type PeerOutcome = "useful" | "useless" | "banned"

const maxTries = 4
const maxKnown = 2_000
const restMillis = 5_000

/** The known peers and their state. */
export const makeCandidates = () => {
  const known = new Map<string, Known>()
  const waiting: Array<Known> = []

  const wait = (one: Known) => {
    one.state = "waiting"
    waiting.push(one)
  }

  return {
    /** Adds a peer, which may be known already. */
    offer: (endpoint: Endpoint): void => {
      const name = endpointName(endpoint)
      const before = known.get(name)
      // The source that named it again may know that it is back.
      if (before !== undefined) before.tries = Math.min(before.tries, maxTries - 1)
      if (known.size >= maxKnown || before !== undefined) return
      const one: Known = { endpoint, tries: 0, state: "waiting", at: 0 }
      known.set(name, one)
      wait(one)
    },
    /** The next peer to connect to. */
    take: (): Endpoint | undefined => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        if (one.state !== "waiting") continue
        one.state = "inside"
        one.tries++
        return one.endpoint
      }
      return undefined
    },
    /**
     * Frees the peer. It may be tried again later, unless that failed often. The address of a banned peer is never
     * tried again.
     */
    left: (endpoint: Endpoint, how: PeerOutcome, now: number): void => {
      const one = known.get(endpointName(endpoint))
      if (one === undefined) return
      if (how === "useful") one.tries = 0
      one.state = "resting"
      one.at = now + restMillis * 2 ** one.tries
      if (how !== "banned") return
      for (const other of known.values()) if (other.endpoint.hostname === endpoint.hostname) other.state = "banned"
    },
    /** Makes peers available again whose delay is over. */
    tick: (now: number): void => {
      for (const one of known.values()) {
        if (one.state === "resting" && one.tries < maxTries && one.at <= now) wait(one)
      }
    },
    waiting: (): number => waiting.length,
    /** Whether any of the peers may still be useful. */
    hasPeers: (): boolean => [...known.values()].some((one) => one.state !== "banned" && one.tries < maxTries)
  }
}
