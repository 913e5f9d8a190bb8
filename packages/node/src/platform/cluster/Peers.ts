import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Data, Effect, type Scope } from "effect"

/** A call between nodes did not get through. */
export class PeerFailed extends Data.TaggedError("PeerFailed")<{ readonly message: string }> {}

export const failed = ({ message }: Error): PeerFailed => new PeerFailed({ message })

/** Another node did not answer. */
export class PeerUnreachable extends Data.TaggedError("PeerUnreachable")<{
  readonly node: string
  readonly cause: unknown
}> {}

/** Another node of the instance. */
export interface Peer {
  readonly name: string
  readonly roles: ReadonlyArray<string>
}

/** What nodes ask and send each other, in JSON. Whoever is asked decodes what is asked, and whoever asks the answer. */
export interface Peers {
  /** The other nodes that are alive, as of the last second; the oldest first. */
  readonly others: Effect.Effect<ReadonlyArray<Peer>, DatabaseUnavailable>
  /** Answers calls of other nodes under this name, for as long as the scope is open. */
  readonly answer: (
    name: string,
    handler: (input: unknown) => Effect.Effect<unknown>
  ) => Effect.Effect<void, never, Scope.Scope>
  /** Asks a node by its name (`nodeName`). */
  readonly call: (node: string, name: string, input: unknown) => Effect.Effect<unknown, PeerUnreachable>
  /** Sends to all other nodes, and does not wait for them: a node that cannot be reached does not hear of it. */
  readonly broadcast: (name: string, input: unknown) => Effect.Effect<void>
}

/** Default: there are no others. */
export const Peers = Context.Reference<Peers>("@kinora/node/cluster/Peers", {
  defaultValue: () => ({
    others: Effect.succeed([]),
    answer: () => Effect.void,
    call: (node) => Effect.fail(new PeerUnreachable({ node, cause: "this node is the only one" })),
    broadcast: () => Effect.void
  })
})
