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

/** A node of the instance, and what it runs (ours, not the contract's). */
const ClusterNode = Schema.Struct({
  name: Schema.String,
  /** Where other nodes reach it. */
  address: Schema.String,
  roles: Schema.Array(Schema.String),
  version: Schema.String,
  startedAt: Timestamp,
  seenAt: Timestamp,
  /** False: it is lost, and what it ran runs elsewhere. */
  alive: Schema.Boolean,
  /** Whether it is the one that answers. */
  answers: Schema.Boolean,
  shards: Schema.Int,
  entities: Schema.Int,
  lives: Schema.Array(Schema.String),
  tasks: Schema.Array(Schema.Struct({ name: Schema.String, state: Schema.String, restarts: Schema.Int }))
})

/** What an administrator sees of the running node: the address the request came from, the inbox, and our tasks. */
export const Debug = Schema.Struct({
  ip: Schema.String,
  activityPubMessagesWaiting: Schema.Int,
  tasks: Schema.Array(SupervisedTask),
  /** The nodes of the cluster; absent when the node is the only one. */
  nodes: Schema.optionalKey(Schema.Array(ClusterNode))
}).annotate({ identifier: "Debug" })
export type Debug = typeof Debug.Type
