import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, type Effect } from "effect"

/** Comments on remote videos that were written before anybody here followed them. */
export class RemoteThreads extends Context.Service<
  RemoteThreads,
  {
    /**
     * Somebody here watches a remote video: if our copy is old it is fetched again, and its comments are read. Both
     * happen in the background.
     */
    readonly watched: (videoId: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/remote/RemoteThreads") {}
