import type { Endpoint } from "../network/Endpoint.ts"
import { endpointName } from "../network/Endpoint.ts"

interface Known {
  readonly endpoint: Endpoint
  tries: number
  state: "waiting" | "inside" | "resting" | "banned"
  /** When it may be tried again. */
  at: number
}

/** How a peer was left: `banned` for what nobody sends by accident, and where the guard refuses it. */
export type Parting = "useful" | "useless" | "banned"

const maxTries = 4
const maxKnown = 2_000
const restMillis = 5_000

/** The peers that were named, and what became of them. */
export const makeCandidates = () => {
  const known = new Map<string, Known>()
  const waiting: Array<Known> = []

  const wait = (one: Known) => {
    one.state = "waiting"
    waiting.push(one)
  }

  return {
    /** A peer was named, maybe again. */
    offer: (endpoint: Endpoint): void => {
      const name = endpointName(endpoint)
      const before = known.get(name)
      // Whoever names it again may know that it is back.
      if (before !== undefined) before.tries = Math.min(before.tries, maxTries - 1)
      if (known.size >= maxKnown || before !== undefined) return
      const one: Known = { endpoint, tries: 0, state: "waiting", at: 0 }
      known.set(name, one)
      wait(one)
    },
    /** The next one to connect to. */
    take: (): Endpoint | undefined => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        if (one.state !== "waiting") continue
        one.state = "inside"
        one.tries++
        return one.endpoint
      }
      return undefined
    },
    /** It may be tried again later, unless that was often in vain; the address of one that is banned never. */
    left: (endpoint: Endpoint, how: Parting, now: number): void => {
      const one = known.get(endpointName(endpoint))
      if (one === undefined) return
      if (how === "useful") one.tries = 0
      one.state = "resting"
      one.at = now + restMillis * 2 ** one.tries
      if (how !== "banned") return
      for (const other of known.values()) if (other.endpoint.hostname === endpoint.hostname) other.state = "banned"
    },
    /** Lets those wait again that have rested. */
    tick: (now: number): void => {
      for (const one of known.values()) {
        if (one.state === "resting" && one.tries < maxTries && one.at <= now) wait(one)
      }
    },
    waiting: (): number => waiting.length,
    /** Whether one of them may still be of use. */
    hope: (): boolean => [...known.values()].some((one) => one.state !== "banned" && one.tries < maxTries)
  }
}
