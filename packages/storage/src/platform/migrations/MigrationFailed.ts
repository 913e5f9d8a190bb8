import { Data } from "effect"

/** Migrations cannot go on; `message` says why and what to do. The database is as it was before. */
export class MigrationFailed extends Data.TaggedError("MigrationFailed")<{
  readonly message: string
  readonly cause?: unknown
}> {}
