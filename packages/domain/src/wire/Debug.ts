import { Schema } from "effect"
import { Timestamp } from "./Scalars.ts"

/** A long-lived task of the node, as its supervisor sees it (ours, not the contract's). */
const SupervisedTask = Schema.Struct({
  name: Schema.String,
  state: Schema.String,
  restarts: Schema.Int,
  since: Timestamp,
  lastCause: Schema.optionalKey(Schema.NullOr(Schema.String))
})

/** What an administrator sees of the running node: the address the request came from, the inbox, and our tasks. */
export const Debug = Schema.Struct({
  ip: Schema.String,
  activityPubMessagesWaiting: Schema.Int,
  tasks: Schema.Array(SupervisedTask)
}).annotate({ identifier: "Debug" })
export type Debug = typeof Debug.Type
