import { Data } from "effect"

/**
 * - `unreachable`: no answer came, or it broke off.
 * - `overloaded`: the service asks to come back later, or failed itself.
 * - `missing`: there is no such object, bucket or upload; `code` says which.
 * - `denied`: the keys may not do this, or are wrong.
 * - `corrupt`: the bytes that arrived are others than were sent.
 * - `refused`: anything else that the service did not accept.
 */
export type S3FailureReason = "unreachable" | "overloaded" | "missing" | "denied" | "corrupt" | "refused"

/** An S3 request that failed, after all its attempts. No message contains keys, signatures or addresses with them. */
export class S3Failure extends Data.TaggedError("S3Failure")<{
  readonly reason: S3FailureReason
  readonly message: string
  /** Code of the service: `NoSuchKey`, `SlowDown`; or of the connection: `ECONNREFUSED`. */
  readonly code?: string
}> {}

/** Whether the same request may succeed a little later. */
export const mayRecover = ({ reason }: S3Failure): boolean =>
  reason === "unreachable" || reason === "overloaded" || reason === "corrupt"

/** Whether the service is away, whatever is asked of it. */
export const isAway = ({ reason }: S3Failure): boolean => reason === "unreachable" || reason === "overloaded"

const overloaded = new Set(["SlowDown", "RequestTimeout", "ServiceUnavailable", "InternalError", "OperationAborted"])
const corrupt = new Set(["BadDigest", "XAmzContentSHA256Mismatch", "IncompleteBody"])

/** What an answer with an error status means. */
export const reasonOf = (status: number, code: string | undefined): S3FailureReason => {
  if (code !== undefined && corrupt.has(code)) return "corrupt"
  if (status >= 500 || status === 429 || status === 408 || (code !== undefined && overloaded.has(code))) {
    return "overloaded"
  }
  if (status === 404) return "missing"
  if (status === 401 || status === 403) return "denied"
  return "refused"
}
