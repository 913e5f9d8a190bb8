import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import { Context, type Effect } from "effect"

/** Requests to follow channels of other instances on behalf of a user, written in the caller's transaction. */
export class RemoteSubscriptions extends Context.Service<
  RemoteSubscriptions,
  {
    /** A user follows a channel that is not known yet. */
    readonly askForUser: (userId: number, name: string, host: string) => Effect.Effect<void, DatabaseUnavailable>
    /** Stops what is not done yet. False: nothing was to be done. */
    readonly dropForUser: (userId: number, handle: ActorHandle) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/node/social/subscription/RemoteSubscriptions") {}
