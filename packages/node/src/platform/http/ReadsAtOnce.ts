import { Effect } from "effect"
import type { IncomingMessage } from "node:http"

/** The share of reads at once that visitors may have. */
const visitors = 0.75
/** Where answers take longer than this on average, visitors are let in only while few are worked on: none waits much longer. */
const slowMillis = 1_000
/** So many are always let in: some answers wait for other servers, and take no work meanwhile. */
const few = 32
/** What one answer adds to the average. */
const weight = 0.05

/**
 * Reads of nobody in particular. Users read what they have just written, so theirs go to the primary; tokens in addresses are those of
 * feeds and files.
 */
export const isOfVisitor = ({ headers, method, url }: IncomingMessage): boolean =>
  (method === "GET" || method === "HEAD") && headers.authorization === undefined && url?.includes("oken=") !== true

/** Families of paths that are answered from files, or that wait for something: they take no work of the database. */
const uncounted: ReadonlySet<string> = new Set(["static", "lazy-static", "download", "assets", "tracker", "socket"])

/** Load balancers ask it whether the node lives. */
const ping = "/api/v1/ping"

/** How many reads are worked on at this moment, and whether another one may be. */
export interface ReadsAtOnce {
  /** Whether the request takes a place: reads alone do, since a body comes as slowly as its sender likes. */
  readonly counts: (source: IncomingMessage, family: string) => boolean
  readonly hasRoom: (source: IncomingMessage) => boolean
  /** The work on an answer, without the sending of its body, which a reader may delay. */
  readonly working: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

export const makeReadsAtOnce = (most: number): ReadsAtOnce => {
  const mostOfVisitors = Math.max(1, Math.floor(most * visitors))
  let busy = 0
  let average = 0
  const visitorsLet = () => (average > slowMillis ? Math.min(few, mostOfVisitors) : mostOfVisitors)
  return {
    counts: ({ headers, method, url }, family) =>
      (method === "GET" || method === "HEAD") &&
      headers.upgrade === undefined &&
      !uncounted.has(family) &&
      url !== ping,
    hasRoom: (source) => busy < (isOfVisitor(source) ? visitorsLet() : most),
    working: (work) =>
      Effect.suspend(() => {
        busy++
        const from = performance.now()
        return Effect.onExit(work, () => {
          busy--
          average += weight * (performance.now() - from - average)
          return Effect.void
        })
      })
  }
}
