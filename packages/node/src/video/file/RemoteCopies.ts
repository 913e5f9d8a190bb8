import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CopiedBucket } from "@kinora/storage/federation/remote/RemoteCopyRows"
import { Context, type Effect } from "effect"

/**
 * Pictures and captions of other instances, copied when somebody here first wants to see them: so pages load nothing from
 * elsewhere, and nobody there learns who looks at what. Pictures are made anew (never passed on as they came), captions must
 * be WebVTT.
 */
export class RemoteCopies extends Context.Service<
  RemoteCopies,
  {
    /** Copies a file of others by its name here, if it is one: whether there is something to serve now. */
    readonly ensure: (bucket: CopiedBucket, name: string) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/node/remote/RemoteCopies") {}
