import { Duration, Effect, type Stream as Streams, Stream } from "effect"
import type { Sharding } from "effect/cluster"
import * as EntityId from "effect/cluster/EntityId"
import type { NodeRole } from "../config/keys/Server.ts"
import { Supervisor } from "../supervision/Supervisor.ts"
import type { Placement } from "./Placement.ts"

/** A shard that was acquired is in use a moment later. */
const settling = Duration.millis(50)

/** Placement by the shards of a cluster. */
export const placed = (options: {
  readonly sharding: Sharding.Sharding["Service"]
  readonly roles: ReadonlySet<NodeRole>
  readonly gained: Streams.Stream<void>
}): Placement => {
  const { sharding } = options
  return {
    roles: options.roles,
    several: true,
    isElsewhere: (entity) => !sharding.hasShardId(sharding.getShardId(EntityId.make(entity), "default")),
    gained: Stream.mapEffect(options.gained, () => Effect.sleep(settling)),
    once: (name, task) =>
      Effect.gen(function* () {
        if (!options.roles.has("worker")) return
        const supervisor = yield* Supervisor
        // The task lives as long as this node is the one that runs it, and is listed for as long.
        const held = Effect.andThen(supervisor.run(name, task), Effect.never).pipe(
          Effect.scoped,
          Effect.ensuring(supervisor.forget(name))
        )
        yield* sharding.registerSingleton(name, held)
      })
  }
}
