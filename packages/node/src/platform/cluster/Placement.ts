import { Context, Effect, type Scope, Stream } from "effect"
import type { NodeRole } from "../config/keys/Server.ts"
import { nodeRoles } from "../config/keys/Server.ts"
import { Supervisor } from "../supervision/Supervisor.ts"

/** Where among the nodes of the instance things run. */
export interface Placement {
  /** What this node does. */
  readonly roles: ReadonlySet<NodeRole>
  /** Whether there may be other nodes that this one knows of. */
  readonly several: boolean
  /** Whether another node runs the entities of this name, as far as is known. */
  readonly isElsewhere: (entity: string) => boolean
  /** Emits when this node may have got entities of others: it looks for what those left. */
  readonly gained: Stream.Stream<void>
  /** Runs a task on one of the nodes that work, whichever that is. See {@link runOnce}. */
  readonly once: <E, R>(
    name: string,
    task: Effect.Effect<never, E, R>
  ) => Effect.Effect<void, never, Exclude<R, Scope.Scope> | Scope.Scope | Supervisor>
}

/** The placement of a node that is the only one: everything runs here. */
const alone: Placement = {
  roles: new Set(nodeRoles),
  several: false,
  isElsewhere: () => false,
  gained: Stream.never,
  once: (name, task) => Effect.flatMap(Supervisor, (supervisor) => supervisor.run(name, task))
}

/** Default: a node that is the only one. */
export const Placement = Context.Reference<Placement>("@kinora/node/cluster/Placement", { defaultValue: () => alone })

/**
 * Runs a supervised task once among all nodes. It is interrupted when another node takes it over, which begins it anew: it
 * must bear that, and that two run it for a moment when a node that hung wakes up.
 */
export const runOnce = <E, R>(name: string, task: Effect.Effect<never, E, R>) =>
  Effect.flatMap(Placement, (placement) => placement.once(name, task))
