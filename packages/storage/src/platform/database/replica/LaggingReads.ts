import { Context, Effect } from "effect"
import type { Replica } from "./Replica.ts"

/** Where the reads of one request go. Once one of them went to the primary, all that follow do: nothing goes back in time. */
export interface ReadsOfRequest {
  primary: boolean
}

/**
 * Whether a request may be answered from a replica that lags behind. By default no read may: only what a request of nobody in
 * particular reads does not have to show what its sender has just written.
 */
export const LaggingReads = Context.Reference<ReadsOfRequest | undefined>("@kinora/storage/database/LaggingReads", {
  defaultValue: () => undefined
})

/**
 * Runs reads that must not be older than this moment, and may use the replica if it has reached it. For what is kept under a
 * version that the primary has named. Contexts of requests have no replica, so whoever is built with one gives it.
 */
export const readAsOfNow = <A, E, R>(
  replica: Replica | undefined,
  reads: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  replica === undefined
    ? reads
    : Effect.flatMap(replica.hasReachedNow, (reached) =>
        Effect.provideService(reads, LaggingReads, { primary: !reached })
      )
