import { Data, Effect } from "effect"
import type { TorrentNetwork } from "../network/TorrentNetwork.ts"
import type { AnnounceRequest } from "./Announce.ts"
import { announceOverHttp } from "./HttpTracker.ts"
import type { Swarm } from "../peer/Swarm.ts"
import { announceOverUdp } from "./UdpTracker.ts"

const minSeconds = 60
const maxSeconds = 1_800
const maxFailures = 5

/** The network refuses the tracker, or its protocol is not supported. */
export class TrackerRefused extends Data.TaggedError("TrackerRefused")<{ readonly detail: string }> {}

/**
 * Announces to a tracker repeatedly, as often as it allows, until it fails for good: refused, or failed a few times in
 * a row.
 */
export const followTracker = Effect.fnUntraced(function* (
  network: TorrentNetwork["Service"],
  url: string,
  swarm: Swarm,
  request: () => Omit<AnnounceRequest, "first">,
  retryMillis: number
): Effect.fn.Return<void, TrackerRefused> {
  const announce = (first: boolean) => {
    const announce = { ...request(), first }
    return /^udp:/i.test(url) ? announceOverUdp(network, url, announce) : announceOverHttp(network, url, announce)
  }
  let first = true
  for (let failures = 0; failures < maxFailures;) {
    const answer = yield* announce(first).pipe(
      Effect.catchTag("NetworkRefused", ({ detail }) => Effect.fail(new TrackerRefused({ detail }))),
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
    yield* Effect.sleep(`${Math.min(maxSeconds, Math.max(minSeconds, answer.interval))} seconds`)
  }
})
