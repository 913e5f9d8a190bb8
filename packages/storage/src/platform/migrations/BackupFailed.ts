import { Data } from "effect"

/** The dump before an upgrade could not be written; the upgrade does not start without it. */
export class BackupFailed extends Data.TaggedError("BackupFailed")<{ readonly message: string }> {}
