import { Context, Layer, PubSub } from "effect"

/** The state of a live changed (contract: VideoState). */
export interface LiveEvent {
  readonly videoId: number
  readonly uuid: string
  readonly state: number
  /** It was ended by somebody else than its publisher. */
  readonly forced?: boolean
}

/** Events that may wait for a slow subscriber. The oldest are dropped. */
const max = 256

/** Changes of the lives that this node publishes. */
export class LiveEvents extends Context.Service<LiveEvents, PubSub.PubSub<LiveEvent>>()(
  "@kinora/node/live/session/LiveEvents"
) {
  static readonly layer = Layer.effect(LiveEvents, PubSub.sliding<LiveEvent>(max))
}
