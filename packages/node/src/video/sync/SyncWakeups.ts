import { Context, Layer } from "effect"
import { makeWakeup, type Wakeup } from "../../platform/jobs/Wakeup.ts"

/** Notifies workers of this process that there may be a channel to check. Other processes see it in the database. */
export class SyncWakeups extends Context.Service<SyncWakeups, Wakeup>()("@kinora/node/syncs/SyncWakeups") {
  static readonly layer = Layer.effect(SyncWakeups, makeWakeup)
}
