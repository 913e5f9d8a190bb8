import { Context, type Effect, Schema, type Scope } from "effect"
import type { Socket } from "node:net"
import type { Endpoint } from "./Endpoint.ts"

/** The address rules forbid the request, before a byte is sent. A retry gives the same result. */
export class NetworkRefused extends Schema.TaggedError<NetworkRefused>()("NetworkRefused", {
  detail: Schema.String
}) {}

/** The request failed. When the failure is transient, the same request may succeed later. */
export class NetworkFailed extends Schema.TaggedError<NetworkFailed>()("NetworkFailed", {
  transient: Schema.Boolean,
  detail: Schema.String
}) {}

export type NetworkError = NetworkRefused | NetworkFailed

/** A slot at an endpoint, held until its scope closes. The holder reports how the endpoint behaved. */
export interface Reservation {
  /** Addresses that may be connected to, at least one, in the order to try. */
  readonly addresses: ReadonlyArray<string>
  readonly answered: Effect.Effect<void>
  readonly failed: Effect.Effect<void>
}

/** An HTTP request. */
export interface BytesRequest {
  /** Accepted media types in lower case: `video/*`. The empty string stands for a response without a type. */
  readonly types: ReadonlyArray<string>
  readonly maxBytes: number
  /** Only these bytes, both ends inclusive. A response with any other bytes fails. */
  readonly part?: { readonly first: number; readonly last: number }
  /** Time limit in milliseconds, if the default is too short. */
  readonly wholeMillis?: number
}

/**
 * This package's access to the network. Its provider decides which addresses may be reached: peers, trackers and web
 * seeds of a torrent may be chosen by an attacker.
 */
export class TorrentNetwork extends Context.Service<
  TorrentNetwork,
  {
    /** Whether public addresses may be reached at all. */
    readonly reachesInternet: boolean
    /** Resolves a host to the addresses that may be connected to. Connect to one of these, never to the name. */
    addresses(hostname: string): Effect.Effect<ReadonlyArray<string>, NetworkError>
    /** Reserves a slot at an endpoint and resolves its host. */
    reserve(endpoint: Endpoint): Effect.Effect<Reservation, NetworkError, Scope.Scope>
    /** Opens a TCP connection, which closes with the scope. The slot is held only while connecting. */
    connect(endpoint: Endpoint): Effect.Effect<Socket, NetworkError, Scope.Scope>
    /** Downloads a body over HTTP. */
    bytes(url: string, request: BytesRequest): Effect.Effect<Uint8Array, NetworkError>
  }
>()("@kinora/torrent/network/TorrentNetwork") {}
