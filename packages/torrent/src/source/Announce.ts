import type { Endpoint } from "../network/Endpoint.ts"

/** What is sent to a tracker. */
export interface AnnounceRequest {
  /** 40 hex digits. */
  readonly infoHash: string
  readonly peerId: Uint8Array
  /** Bytes that are on disk, and those that are missing; 1 when nobody knows. */
  readonly downloaded: number
  readonly left: number
  readonly first: boolean
}

/** What a tracker answers. */
export interface Announced {
  readonly peers: ReadonlyArray<Endpoint>
  /** Seconds until it wants to be asked again. */
  readonly interval: number
}

/** Peers that are asked for, and those that are taken of an answer. */
export const wantedPeers = 80
export const maxPeers = 200

/** Trackers want a port, and nobody listens on this one: whoever dials it wastes an attempt. */
export const namedPort = 6_881
