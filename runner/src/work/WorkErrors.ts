import { Data } from "effect"

/** This machine cannot do the work now, but others may: the job is given back. */
export class CannotWork extends Data.TaggedError("CannotWork")<{ readonly message: string }> {}

/** The work was tried and failed. The message is sent to the server. */
export class WorkFailed extends Data.TaggedError("WorkFailed")<{ readonly message: string }> {}
