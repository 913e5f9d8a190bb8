import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"

/**
 * Makes known what is at an address or has a handle elsewhere, where that can be done: afterwards it is found by its
 * address like everything that is known. Asked only on behalf of who may (`search.remote_uri`).
 */
export class RemoteLookup extends Context.Service<
  RemoteLookup,
  {
    /** @param address an http or https address, or `name@host` */
    readonly discover: (address: string) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/search/RemoteLookup") {
  /** Asks no other instance: what is known is all there is. */
  static readonly layerKnown = Layer.succeed(RemoteLookup, RemoteLookup.of({ discover: () => Effect.void }))
}
