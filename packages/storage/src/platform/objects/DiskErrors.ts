import { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Data, Effect } from "effect"

/** An error of the file system, before it becomes a typed error or a defect. */
export class IoError extends Data.TaggedError("IoError")<{ readonly cause: unknown }> {}

export const codeOf = (cause: unknown): string | undefined =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : undefined

const isFull = (cause: unknown): boolean => ["ENOSPC", "EDQUOT", "EFBIG"].includes(codeOf(cause) ?? "")

/** Runs a write: a full disk is a typed error, anything else a defect. */
export const writing = (action: () => Promise<void>): Effect.Effect<void, InsufficientStorage> =>
  Effect.tryPromise({ try: action, catch: (cause) => new IoError({ cause }) }).pipe(
    Effect.catch(({ cause }) => (isFull(cause) ? Effect.fail(new InsufficientStorage()) : Effect.die(cause)))
  )
