import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { InboxUpkeep } from "@kinora/storage/federation/inbox/InboxUpkeep"
import { Context, Duration, Effect, Layer } from "effect"

/** How long a block by a moderator may take to be noticed here. */
const freshFor = Duration.seconds(5)

/** Hosts and actors the instance has muted: nothing of theirs is taken. */
export class MutedSenders extends Context.Service<
  MutedSenders,
  {
    readonly has: (host: string, actorUrl: string) => Effect.Effect<boolean, DatabaseUnavailable>
    /** What moderators have just changed on this node counts at once. */
    readonly renew: Effect.Effect<void>
  }
>()("@kinora/node/inbox/MutedSenders") {
  static readonly layer = Layer.effect(
    MutedSenders,
    Effect.gen(function* () {
      const upkeep = yield* InboxUpkeep
      const [muted, renew] = yield* Effect.cachedInvalidateWithTTL(upkeep.muted, freshFor)
      return MutedSenders.of({
        renew,
        has: (host, actorUrl) => Effect.map(muted, ({ actors, hosts }) => hosts.has(host) || actors.has(actorUrl))
      })
    })
  )
}
