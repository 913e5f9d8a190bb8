import type { Endpoint } from "../network/Endpoint.ts"

/** An announce to a tracker. */
export interface AnnounceRequest {
  /** 40 hex digits. */
  readonly infoHash: string
  readonly peerId: Uint8Array
  /** Bytes on disk, and missing bytes; 1 if unknown. */
  readonly downloaded: number
  readonly left: number
  readonly first: boolean
}

/** A tracker's answer. */
export interface Announced {
  readonly peers: ReadonlyArray<Endpoint>
  /** Seconds until the next announce. */
  readonly interval: number
}

/** Number of peers to request, and to accept from an answer. */
export const wantedPeers = 80
export const maxPeers = 200

/** Trackers require a port. We do not listen on it, so connections to it fail. */
export const namedPort = 6_881
