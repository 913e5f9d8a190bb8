import { Data, Effect } from "effect"
import type { FetchGuard } from "../fetch/FetchGuard.ts"
import type { GuardedFetch } from "../fetch/GuardedFetch.ts"
import type { AnnounceRequest } from "./Announce.ts"
import { announceOverHttp } from "./HttpTracker.ts"
import type { Swarm } from "./Swarm.ts"
import { announceOverUdp } from "./UdpTracker.ts"

const leastSeconds = 60
const mostSeconds = 1_800
const maxFailures = 5

/** A tracker the guard refuses, or one of a kind nobody here speaks to. */
export class TrackerRefused extends Data.TaggedError("TrackerRefused")<{ readonly detail: string }> {}

/**
 * Asks a tracker for peers again and again, as often as it wants, until it fails for good: refused, or failing a few
 * times in a row.
 */
export const followTracker = Effect.fnUntraced(function* (
  services: { readonly guard: FetchGuard["Service"]; readonly fetch: GuardedFetch["Service"] },
  url: string,
  swarm: Swarm,
  request: () => Omit<AnnounceRequest, "first">,
  retryMillis: number
): Effect.fn.Return<void, TrackerRefused> {
  const announce = (first: boolean) => {
    const told = { ...request(), first }
    return /^udp:/i.test(url)
      ? announceOverUdp(services.guard, url, told)
      : announceOverHttp(services.fetch, url, told).pipe(
          Effect.catchTag("FetchError", ({ reason }) => Effect.fail(reason))
        )
  }
  let first = true
  for (let failures = 0; failures < maxFailures;) {
    const answer = yield* announce(first).pipe(
      Effect.catchTag("Refused", ({ detail }) => Effect.fail(new TrackerRefused({ detail }))),
      Effect.catchIf(
        (error) => error._tag !== "TrackerRefused",
        () => Effect.succeed(undefined)
      )
    )
    if (answer === undefined) {
      failures++
      yield* Effect.sleep(retryMillis * failures)
      continue
    }
    failures = 0
    first = false
    answer.peers.forEach(swarm.offer)
    yield* Effect.sleep(`${Math.min(mostSeconds, Math.max(leastSeconds, answer.interval))} seconds`)
  }
})
