import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, type Effect, type Option } from "effect"

/**
 * Makes known what is at an address or has a handle elsewhere, where that can be done: afterwards it is found by its
 * address like everything that is known. Asked only on behalf of who may (`search.remote_uri`).
 */
export class RemoteLookup extends Context.Service<
  RemoteLookup,
  {
    /**
     * The address it has at home; none when nothing was found, for whatever reason: which hosts and ports answer is not for
     * who searches to learn.
     *
     * @param address an http or https address, or `name@host`
     */
    readonly discover: (address: string) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
  }
>()("@kinora/node/search/RemoteLookup") {}
