import type { Duration } from "effect"

/** Bounds of what unknown peers may use. */
export interface RtmpLimits {
  /** Connections in all. */
  readonly connections: number
  /** Connections of one address; an IPv6 network of 64 bits counts as one. */
  readonly connectionsPerAddress: number
  /** From the connection to the command that publishes or plays. */
  readonly commandTime: Duration.Input
  /** Without media from a publisher, or without a player taking any. */
  readonly idleTime: Duration.Input
  /** All bytes before the publisher is let in. */
  readonly bytesBeforePublish: number
  /** Unfinished messages of a connection together, before the publisher is let in. */
  readonly messageBytesBeforePublish: number
  /** The same afterwards. */
  readonly messageBytes: number
}

export const defaultRtmpLimits: RtmpLimits = {
  connections: 200,
  connectionsPerAddress: 20,
  commandTime: "10 seconds",
  idleTime: "30 seconds",
  bytesBeforePublish: 256 * 1024,
  messageBytesBeforePublish: 64 * 1024,
  messageBytes: 16 * 1024 * 1024
}
