import { Data } from "effect"

/** The address cannot be listened on, or the certificate cannot be used. */
export class ListenError extends Data.TaggedError("ListenError")<{
  readonly message: string
  readonly cause: unknown
}> {}
