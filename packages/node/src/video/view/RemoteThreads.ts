import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, type Effect } from "effect"

/** What others say below videos of other instances, as far as it was said before anybody here followed them. */
export class RemoteThreads extends Context.Service<
  RemoteThreads,
  {
    /**
     * Somebody watches a video of another instance here: it is fetched anew where it is old, and its comments are read, all of
     * it behind.
     */
    readonly watched: (videoId: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/remote/RemoteThreads") {}
