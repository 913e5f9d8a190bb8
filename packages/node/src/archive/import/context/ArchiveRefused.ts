import { Data } from "effect"

/** An archive, or a file of one, that is not read any further: one sentence for whoever brought it. */
export class ArchiveRefused extends Data.TaggedError("ArchiveRefused")<{ readonly message: string }> {}
