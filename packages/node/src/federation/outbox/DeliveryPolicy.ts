import { Duration } from "effect"

/** A host gets so long for an answer (contract: delivery.timeoutMs). */
export const deliveryTimeout = Duration.seconds(7)

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** After so many days of failures alone a host is unavailable: it is tried once a day. */
const unavailableAfterMillis = 7 * day
/** What a host may ask for by `Retry-After`, and gets. */
export const maxRetryAfterMillis = 6 * hour
const minRetryAfterMillis = 1_000

/** Most hosts that fail are being restarted. */
const firstRest = 20_000

/** `random` is between 0 and 1: hosts that went down together are not tried together. */
const jittered = (millis: number, random: number): number => Math.round(millis * (0.75 + random / 2))

/** How long a host rests that has failed so many times in a row, the last one included. */
export const hostRestMillis = (failures: number, failingForMillis: number, random: number): number =>
  failingForMillis >= unavailableAfterMillis
    ? jittered(day, random)
    : jittered(Math.min(firstRest * 3 ** Math.min(failures - 1, 20), 6 * hour), random)

/** How long one delivery waits that failed so many times, and whose host is not to blame. */
export const deliveryWaitMillis = (attempts: number, random: number): number =>
  jittered(Math.min(minute * 4 ** Math.min(attempts - 1, 10), 12 * hour), random)

/** How long a follow or an answer to one waits: somebody is looking at it. */
export const firstWaitMillis = (attempts: number, random: number): number =>
  jittered(Math.min(15_000 * 2 ** Math.min(attempts - 1, 20), 6 * hour), random)

/** What an answer says of a delivery. */
export type Verdict =
  | { readonly _tag: "Delivered" }
  /** Not in this form of signature, perhaps. */
  | { readonly _tag: "Unsigned" }
  /** This inbox is no more. */
  | { readonly _tag: "Gone" }
  /** Never this activity. */
  | { readonly _tag: "Refused" }
  /** Not this activity now. */
  | { readonly _tag: "Later" }
  /** Nothing now. `failing`: as a host, and not because it is asked too much. */
  | { readonly _tag: "HostRests"; readonly failing: boolean; readonly restMillis?: number }

/** An inbox that has moved for good says so this often before it is believed. */
const mostMoves = 3

/** Reads a status (RFC 9110, 15), and what the host asks for with it, after so many attempts that failed. */
export const verdictOf = (status: number, retryAfterMillis: number | undefined, failed = 0): Verdict => {
  if (status >= 200 && status < 300) return { _tag: "Delivered" }
  if (status === 401 || status === 403) return { _tag: "Unsigned" }
  if (status === 410) return { _tag: "Gone" }
  // Where to is not asked: it is for the actor's document to say, which is read again from time to time.
  if ((status === 301 || status === 308) && failed + 1 >= mostMoves) return { _tag: "Refused" }
  const rest =
    retryAfterMillis === undefined
      ? {}
      : { restMillis: Math.min(Math.max(retryAfterMillis, minRetryAfterMillis), maxRetryAfterMillis) }
  if (status === 429) return { _tag: "HostRests", failing: false, ...rest }
  // 520 to 530: what stands before the host does not reach it.
  if ((status >= 502 && status <= 504) || (status >= 520 && status <= 530)) {
    return { _tag: "HostRests", failing: true, ...rest }
  }
  if (status >= 500 || status === 408 || status === 425 || status < 400) return { _tag: "Later" }
  return { _tag: "Refused" }
}
