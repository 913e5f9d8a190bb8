import { Data } from "effect"

/** No answer, or one that asks to try again later (5xx, 408, 429). */
export class ServerUnreachable extends Data.TaggedError("ServerUnreachable")<{ readonly message: string }> {}

/** The server does not know this runner: it was removed there. */
export class UnknownRunner extends Data.TaggedError("UnknownRunner")<{ readonly message: string }> {}

/** The job does not belong to this runner (any more): cancelled, taken back, done, or given to another. */
export class JobLost extends Data.TaggedError("JobLost")<{ readonly message: string }> {}

/** Any other refusal. `fields` are the names of refused fields, if the server named some. */
export class ServerRefused extends Data.TaggedError("ServerRefused")<{
  readonly status: number
  readonly message: string
  readonly fields: ReadonlyArray<string>
}> {}

/** An answer that does not match the protocol. */
export class UnexpectedAnswer extends Data.TaggedError("UnexpectedAnswer")<{ readonly message: string }> {}

/** Errors of requests to a server. */
export type ServerError = ServerUnreachable | UnknownRunner | JobLost | ServerRefused | UnexpectedAnswer
