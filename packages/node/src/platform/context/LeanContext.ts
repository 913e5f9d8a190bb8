import { Context, Effect } from "effect"

/** Services of ours have names of the form `@kinora/<package>/…`. */
const ours = "@kinora/"

/** What the HTTP server and the API's middleware look for while a request is served. */
const ofRequests = ["@kinora/node/http/", "@kinora/domain/"] as const

/**
 * A context without our services, of which there are some 250: what Effect itself looks for (loggers, tracer, scope, SQL client)
 * and what requests need. Whoever needs another service has found it when a layer was built. Fibers that come by the thousand run
 * with this: merging two contexts, as each request does, copies all their entries.
 */
const leanContext = <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(
    new Map(
      [...context.mapUnsafe].filter(
        ([key]) => !key.startsWith(ours) || ofRequests.some((prefix) => key.startsWith(prefix))
      )
    )
  )

/** Runs an effect, and whatever it begins, with a lean context. */
export const withLeanContext = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateContext(effect, (context: Context.Context<R>) => leanContext(context))
