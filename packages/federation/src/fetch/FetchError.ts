import { Schema } from "effect"

/** Rules forbid the request, before a byte is sent: asking again gives the same answer. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  what: Schema.Literals(["url", "scheme", "credentials", "port", "address", "downgrade"]),
  detail: Schema.String
}) {}

/** More than the allowed hops, or a hop that was already made. */
export class TooManyRedirects extends Schema.TaggedError<TooManyRedirects>()("TooManyRedirects", {
  hops: Schema.Int
}) {}

/** The answer, once decoded, is (or says it is) longer than `maxBytes`. */
export class TooLarge extends Schema.TaggedError<TooLarge>()("TooLarge", { maxBytes: Schema.Finite }) {}

/** The media type of the answer is not among those asked for; `type` is empty when the answer names none. */
export class WrongType extends Schema.TaggedError<WrongType>()("WrongType", { type: Schema.String }) {}

/** `resolve`: no answer of DNS; `connect`: no connection; `idle`: silence within an answer; `whole`: all of it took too long. */
export class TimedOut extends Schema.TaggedError<TimedOut>()("TimedOut", {
  phase: Schema.Literals(["resolve", "connect", "idle", "whole"])
}) {}

/** Anything but the whole of what was asked for: 200 or 203, or 206 for a part. `retryAfterMillis` is what a 429 or 503 asked for, clamped. */
export class BadStatus extends Schema.TaggedError<BadStatus>()("BadStatus", {
  status: Schema.Int,
  retryAfterMillis: Schema.optionalKey(Schema.Finite)
}) {}

/** No such name, no connection, no valid certificate, or a connection that broke. `code` is the system's. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", { code: Schema.String }) {}

/** What arrived is not what it claims to be: broken compression, invalid JSON, wrong characters. */
export class Malformed extends Schema.TaggedError<Malformed>()("Malformed", {
  what: Schema.Literals(["redirect", "encoding", "charset", "json", "depth", "items", "empty"]),
  detail: Schema.String
}) {}

/** The host, or this process, has no room: try after `retryAfterMillis`. Nothing was sent. */
export class Busy extends Schema.TaggedError<Busy>()("Busy", {
  why: Schema.Literals(["circuit", "queue", "rate"]),
  retryAfterMillis: Schema.Finite
}) {}

/** The file could not be written here; it says nothing of the host. */
export class NotWritten extends Schema.TaggedError<NotWritten>()("NotWritten", { code: Schema.String }) {}

export const FetchReason = Schema.Union([
  Refused,
  TooManyRedirects,
  TooLarge,
  WrongType,
  TimedOut,
  BadStatus,
  Unreachable,
  Malformed,
  Busy,
  NotWritten
])
export type FetchReason = typeof FetchReason.Type

/**
 * A fetch that gave nothing. `url` is that of the last hop without its query, which may hold secrets. Show people outside
 * of the instance no more than `_tag` of the reason: which names exist and which ports answer is not theirs to learn.
 */
export class FetchError extends Schema.TaggedError<FetchError>()("FetchError", {
  url: Schema.String,
  reason: FetchReason
}) {
  override get message(): string {
    const { _tag, message: _message, ...fields } = this.reason.toJSON() as Record<string, unknown>
    return `${this.url}: ${String(_tag)} ${JSON.stringify(fields)}`
  }
}

const transientStatus = new Set([408, 425, 429, 500, 502, 503, 504])

/** Whether the same fetch may succeed later. What is not transient is final for this object, and no fault of its host's. */
export const isTransient = ({ reason }: FetchError): boolean => {
  switch (reason._tag) {
    case "TimedOut":
    case "Unreachable":
    case "Busy":
    case "NotWritten":
      return true
    case "BadStatus":
      return transientStatus.has(reason.status)
    default:
      return false
  }
}

/** Whether a failure speaks against the host as a whole (and not against one object on it). */
export const isHostFailure = (reason: FetchReason): boolean =>
  reason._tag === "TimedOut" ||
  reason._tag === "Unreachable" ||
  (reason._tag === "BadStatus" && reason.status >= 502 && reason.status <= 504)
