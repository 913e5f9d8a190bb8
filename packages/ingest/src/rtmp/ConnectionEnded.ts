import { Data } from "effect"
import type { PublishEnd } from "../Publisher.ts"
import type { RtmpViolation } from "./RtmpViolation.ts"

/** A connection is over. `status` is what the peer reads last. */
export class ConnectionEnded extends Data.TaggedError("ConnectionEnded")<{
  readonly end: PublishEnd
  readonly detail: string
  readonly status?: { readonly code: string; readonly description: string }
}> {}

/** The peer broke the protocol. */
export const malformed = (violation: RtmpViolation): ConnectionEnded =>
  new ConnectionEnded({
    end: "malformed",
    detail: violation.message,
    status: { code: "NetStream.Failed", description: `The stream is malformed: ${violation.message}.` }
  })

/** The connection broke. */
export const lost = new ConnectionEnded({ end: "lost", detail: "connection lost" })
