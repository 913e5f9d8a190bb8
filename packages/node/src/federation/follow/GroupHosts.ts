import { NodeInfo } from "@kinora/federation/discovery/NodeInfo"
import { GroupServers } from "@kinora/storage/federation/follow/GroupServers"
import { Context, Effect, Layer, Option } from "effect"

/** Learns which of those that follow our channels are servers of groups: these get conversations from the channel. */
export class GroupHosts extends Context.Service<
  GroupHosts,
  {
    /** Asks a few hosts that are not known; a host that does not answer is asked again another time. */
    readonly learn: Effect.Effect<void>
  }
>()("@kinora/node/follows/GroupHosts") {
  static readonly layer = Layer.effect(
    GroupHosts,
    Effect.gen(function* () {
      const servers = yield* GroupServers
      const nodeInfo = yield* NodeInfo
      const ask = Effect.fnUntraced(function* (host: string) {
        const said = yield* Effect.option(nodeInfo.software(host))
        const software = Option.flatten(said)
        yield* servers.asked(host, Option.isSome(software) ? software.value.name.toLowerCase() : null)
      })
      const learn = servers.unknown.pipe(
        Effect.flatMap((hosts) => Effect.forEach(hosts, ask, { discard: true })),
        Effect.catchTag("DatabaseUnavailable", () => Effect.void)
      )
      return GroupHosts.of({ learn })
    })
  ).pipe(Layer.provide(Layer.merge(NodeInfo.layerNoDeps, GroupServers.layer)))
}
