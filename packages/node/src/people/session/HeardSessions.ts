import type { SessionNotice } from "@kinora/storage/people/session/SessionNotices"
import { Context, Layer, PubSub } from "effect"

/** Notices that may wait for one who is slow: the oldest are forgotten, and with them what they said. */
const most = 1024

/** What this node hears of sessions, for others than `AccessTokens`, which has heeded it by then. */
export class HeardSessions extends Context.Service<HeardSessions, PubSub.PubSub<SessionNotice>>()(
  "@kinora/node/sessions/HeardSessions"
) {
  static readonly layer = Layer.effect(HeardSessions, PubSub.sliding<SessionNotice>(most))
}
