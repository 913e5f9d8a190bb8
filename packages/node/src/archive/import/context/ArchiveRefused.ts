import { Data } from "effect"

/** An archive, or a file in one, that is refused. `message` is one sentence for the user. */
export class ArchiveRefused extends Data.TaggedError("ArchiveRefused")<{ readonly message: string }> {}
