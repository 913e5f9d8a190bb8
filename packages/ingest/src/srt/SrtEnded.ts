import { Data } from "effect"
import type { PublishEnd } from "../Publisher.ts"

/** A connection is over. SRT has no place for a reason: `detail` is for the log. */
export class SrtEnded extends Data.TaggedError("SrtEnded")<{
  readonly end: PublishEnd
  readonly detail: string
}> {}
