import type { SessionNotice } from "@kinora/storage/people/session/SessionNotices"
import { Context, Layer, PubSub } from "effect"

/** Events that may wait for a slow subscriber. The oldest are dropped. */
const max = 1024

/** Session events that arrive on this node. `AccessTokens` has already handled them. */
export class SessionEvents extends Context.Service<SessionEvents, PubSub.PubSub<SessionNotice>>()(
  "@kinora/node/sessions/SessionEvents"
) {
  static readonly layer = Layer.effect(SessionEvents, PubSub.sliding<SessionNotice>(max))
}
