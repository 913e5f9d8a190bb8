import { Duration, Layer } from "effect"
import { MessageStorage, RunnerHealth, Runners, RunnerStorage, Sharding, ShardingConfig } from "effect/cluster"
import { withLeanContext } from "../context/LeanContext.ts"

const sharding = Sharding.layer.pipe(
  Layer.provide(Runners.layerNoop),
  Layer.provide(MessageStorage.layerNoop),
  Layer.provide([RunnerStorage.layerMemory, RunnerHealth.layerNoop]),
  Layer.provide(
    ShardingConfig.layer({
      simulateRemoteSerialization: false,
      // Ends before the supervisor gives up waiting.
      entityTerminationTimeout: Duration.seconds(5)
    })
  )
)

/**
 * Places the actors of this program: all of them in this process. Messages are wakes that may be lost, since what is to be
 * done stands in tables, and there is one runner, so nothing is stored and nothing is sent. Several nodes need other
 * layers here and no other code (docs/decisions/cluster.md). What is in scope when it is built goes into the context of each
 * actor: nothing of ours.
 */
export const ClusterLayer: typeof sharding = Layer.fromBuild((memoMap, scope) =>
  withLeanContext(Layer.buildWithMemoMap(sharding, memoMap, scope))
)
