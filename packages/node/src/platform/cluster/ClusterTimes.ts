import { Duration } from "effect"

/**
 * A lost node is replaced ten seconds after its last heartbeat, and one that hangs for six goes on. A node that leaves or
 * comes is noticed with the next look.
 */
export const clusterTimes = {
  expiration: Duration.seconds(10),
  refresh: Duration.seconds(3),
  look: Duration.millis(250)
} as const

/** Seconds after its last heartbeat for which a node is alive. */
export const aliveSeconds = Duration.toSeconds(clusterTimes.expiration)
