import type { Duration } from "effect"

/** Bounds of what unknown peers may use, and of what publishers may. */
export interface SrtLimits {
  /** Publishers in all. */
  readonly connections: number
  /** Publishers of one address; an IPv6 network of 64 bits counts as one. */
  readonly connectionsPerAddress: number
  /** Handshakes that are being decided, in all. */
  readonly handshakes: number
  /** The same of one address. A rejected one counts for a second more. */
  readonly handshakesPerAddress: number
  /** Without media. */
  readonly idleTime: Duration.Input
  /** Without any packet, also none that keeps the connection alive. */
  readonly peerTime: Duration.Input
  /** How long a lost packet is waited for at least; publishers may wish for more. */
  readonly latency: Duration.Input
  /** How long at most. */
  readonly longestLatency: Duration.Input
  /** Packets of a publisher that are kept, a power of two. */
  readonly packets: number
}

export const defaultSrtLimits: SrtLimits = {
  connections: 200,
  connectionsPerAddress: 20,
  handshakes: 64,
  handshakesPerAddress: 8,
  idleTime: "30 seconds",
  peerTime: "5 seconds",
  latency: "1 second",
  longestLatency: "8 seconds",
  packets: 8192
}
