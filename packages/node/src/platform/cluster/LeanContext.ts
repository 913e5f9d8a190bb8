import { Context } from "effect"

/** All our services are named so; they are found by whoever needs them when a layer is built. */
const ours = "@kinora/"

/**
 * A context with what Effect itself looks for (loggers, tracer, scope, SQL client) and no service of ours. Fibers that
 * live long or come by the thousand run with it: each scope and each span copies the context it is begun with, entry by entry.
 */
export const leanContext = <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => !key.startsWith(ours))))
