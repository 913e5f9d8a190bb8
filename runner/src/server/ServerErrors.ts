import { Data } from "effect"

/** No answer, or one that says to come back later (5xx, 408, 429): the same request may work in a while. */
export class ServerUnreachable extends Data.TaggedError("ServerUnreachable")<{ readonly message: string }> {}

/** The server does not know this runner: it was removed there. */
export class UnknownRunner extends Data.TaggedError("UnknownRunner")<{ readonly message: string }> {}

/** The job is not, or not any more, this runner's: cancelled, taken back, done, or given to another. */
export class JobLost extends Data.TaggedError("JobLost")<{ readonly message: string }> {}

/** Any other no. `fields` are the names of refused fields, if the server named some. */
export class ServerRefused extends Data.TaggedError("ServerRefused")<{
  readonly status: number
  readonly message: string
  readonly fields: ReadonlyArray<string>
}> {}

/** An answer that is not what the protocol says. */
export class UnexpectedAnswer extends Data.TaggedError("UnexpectedAnswer")<{ readonly message: string }> {}

/** What requests to a server end in other than their answer. */
export type ServerError = ServerUnreachable | UnknownRunner | JobLost | ServerRefused | UnexpectedAnswer
