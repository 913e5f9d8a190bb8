import { Effect, type Scope } from "effect"
import type { NodeRole } from "../config/keys/Server.ts"
import { Supervisor } from "../supervision/Supervisor.ts"
import { Placement } from "./Placement.ts"

/**
 * Runs a supervised task on each node that has a role. What workers do is in tables: at a stop all of them end first, so that other
 * nodes go on with it.
 */
export const runAs = <E, R>(
  role: NodeRole,
  name: string,
  task: Effect.Effect<never, E, R>
): Effect.Effect<void, never, Exclude<R, Scope.Scope> | Scope.Scope | Supervisor> =>
  Effect.flatMap(Placement, ({ roles }) =>
    roles.has(role)
      ? Effect.flatMap(Supervisor, (supervisor) => supervisor.run(name, task, { handsOver: role === "worker" }))
      : Effect.void
  )
