import { Context, Layer, PubSub } from "effect"

/** The state of a live changed (contract: VideoState). */
export interface LiveEvent {
  readonly videoId: number
  readonly uuid: string
  readonly state: number
  /** It was ended by somebody else than its publisher. */
  readonly forced?: boolean
  /** Another node publishes it, which made its events known. */
  readonly elsewhere?: boolean
}

/** Events that may wait for a slow subscriber. The oldest are dropped. */
const max = 256

/** Changes of lives: of those that this node publishes, and of what other nodes pass on. */
export class LiveEvents extends Context.Service<LiveEvents, PubSub.PubSub<LiveEvent>>()(
  "@kinora/node/live/session/LiveEvents"
) {
  static readonly layer = Layer.effect(LiveEvents, PubSub.sliding<LiveEvent>(max))
}
