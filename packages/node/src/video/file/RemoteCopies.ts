import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CopiedBucket } from "@kinora/storage/federation/remote/RemoteCopyRows"
import { Context, type Effect } from "effect"

/**
 * Images, captions and torrents from other instances, copied when somebody here first requests them. So pages load nothing from
 * other instances, and those do not learn who looks at what. Images are re-encoded, never passed on as they came.
 * Captions must be WebVTT, torrents those of their file.
 */
export class RemoteCopies extends Context.Service<
  RemoteCopies,
  {
    /** Copies a remote file by its local name, if it is one. Returns whether there is something to serve now. */
    readonly ensure: (bucket: CopiedBucket, name: string) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/node/remote/RemoteCopies") {}
