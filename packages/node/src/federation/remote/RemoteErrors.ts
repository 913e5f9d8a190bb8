import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Data } from "effect"

/**
 * Nothing can be made of what is (or is not) at an address, and asking again gives the same answer.
 *
 * - `gone`: 404 or 410, or a Tombstone
 * - `address`: not an address that may be asked, or one of ours
 * - `authority`: not said by whoever may say it (FEP-fe34)
 * - `document`: not an object of the kind, or beyond the limits
 * - `denied`: the host refuses to answer (other statuses of 4xx)
 * - `blocked`: the instance has muted the host
 */
export class ObjectRefused extends Data.TaggedError("ObjectRefused")<{
  readonly url: string
  readonly why: "gone" | "address" | "authority" | "document" | "denied" | "blocked"
  readonly detail: string
}> {
  override get message(): string {
    return `${this.url}: ${this.why}: ${this.detail}`
  }
}

/**
 * Its host does not answer at the moment, or has been asked too much: try again after `retryAfterMillis`. `asked` is false
 * where nothing was sent, since too much is on its way to the host already.
 */
export class ObjectUnavailable extends Data.TaggedError("ObjectUnavailable")<{
  readonly url: string
  readonly detail: string
  readonly retryAfterMillis: number
  readonly asked: boolean
}> {
  override get message(): string {
    return `${this.url}: ${this.detail}`
  }
}

/** What reading something of another instance may come to. */
export type RemoteFailure = ObjectRefused | ObjectUnavailable | DatabaseUnavailable
