import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { type Duration, Effect } from "effect"
import { every } from "../supervision/Every.ts"
import { Supervisor } from "../supervision/Supervisor.ts"
import { runOnce } from "./Placement.ts"

/**
 * A supervised task that does its work now and then on one of the nodes. `Supervisor.once` does it in between by its name, on
 * whichever node that is asked for.
 */
export const periodicOnce = Effect.fnUntraced(function* <E, R>(
  name: string,
  interval: Duration.Input,
  work: Effect.Effect<unknown, E | DatabaseUnavailable, R>
) {
  const supervisor = yield* Supervisor
  yield* supervisor.offer(name, work)
  yield* runOnce(name, every(interval, work))
})
