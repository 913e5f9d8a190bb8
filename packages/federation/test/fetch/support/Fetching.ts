import { Context, Effect, Layer, type Scope } from "effect"
import { FetchGuard } from "../../../src/fetch/FetchGuard.ts"
import type { FetchError } from "../../../src/fetch/FetchError.ts"
import type { FetchOptionsInput } from "../../../src/fetch/FetchOptions.ts"
import { GuardedFetch } from "../../../src/fetch/GuardedFetch.ts"
import { NameResolver } from "../../../src/fetch/NameResolver.ts"

export const userAgent = "Test/1.0 (+https://test.example)"

const withNames = (options: Partial<FetchOptionsInput>, names: Layer.Layer<NameResolver>): Layer.Layer<GuardedFetch> =>
  GuardedFetch.layerNoDeps.pipe(
    Layer.provide(FetchGuard.layerNoDeps({ userAgent, addresses: "loopback", ...options })),
    Layer.provide(names)
  )

/** A fetcher that reaches loopback alone; names are asked of the name server given, which none is by default. */
export const fetching = (
  options: Partial<FetchOptionsInput> = {},
  server = "127.0.0.1:9"
): Effect.Effect<GuardedFetch["Service"], never, Scope.Scope> =>
  Effect.map(Layer.build(withNames(options, NameResolver.layerServers([server]))), (context) =>
    Context.get(context, GuardedFetch)
  )

/** The reason an effect fails for. */
export const reason = <A, E extends FetchError>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), (error) => error.reason)

/** Waits until a condition holds, looking again at each turn of the event loop. */
export const until = (condition: () => boolean) =>
  Effect.callback<void>((resume) => {
    const look = () => {
      if (condition()) resume(Effect.void)
      else again = setTimeout(look, 5)
    }
    let again: NodeJS.Timeout | undefined
    look()
    return Effect.sync(() => clearTimeout(again))
  })
