import { Data } from "effect"

/** The embedded PostgreSQL cannot be used. `message` says why and what an operator can do. */
export class EmbeddedPostgresError extends Data.TaggedError("EmbeddedPostgresError")<{ readonly message: string }> {}

export const embeddedError = (message: string, cause?: unknown): EmbeddedPostgresError =>
  new EmbeddedPostgresError({
    message: cause === undefined ? message : `${message}: ${cause instanceof Error ? cause.message : String(cause)}`
  })
