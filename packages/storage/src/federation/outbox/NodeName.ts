import { Context } from "effect"
import { randomUUID } from "node:crypto"

/**
 * What this node is called among those of its database: no two that run have the same name, and one that starts again has the
 * name of before where it can. Default: a new one at each start.
 */
export const NodeName = Context.Reference<string>("@kinora/storage/outbox/NodeName", {
  defaultValue: () => randomUUID()
})
