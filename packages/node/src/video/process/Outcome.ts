import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import type { LeaseLost } from "@kinora/storage/platform/jobs/Job"
import type { VideoChanged } from "@kinora/storage/video/write/VideoPublication"
import { Data } from "effect"

/** An attempt that ended badly, in words for operators. `final`: trying again cannot help. */
export class ProcessingFailed extends Data.TaggedError("ProcessingFailed")<{
  readonly message: string
  readonly final: boolean
}> {}

/** How an attempt at a job of the pipeline can end besides well. */
export type JobFailure = ProcessingFailed | InsufficientStorage | DatabaseUnavailable | LeaseLost | VideoChanged

interface Told {
  readonly _tag: string
  readonly message: string
}

/** Failures of the media tools that lie in the file and come again. */
const inTheFile = new Set(["UnsupportedMedia", "MalformedMp4"])

/**
 * What a failure of a media tool means for the job. A tool that gave up on the file in a second attempt will do so in a
 * third; one that was killed or had no room may do better.
 */
export const toolFailed =
  (attempt: number) =>
  (error: Told): ProcessingFailed => {
    const gaveUp = error._tag === "FfmpegFailed" && "reason" in error && error.reason === "exit"
    // The upload was looked into before, and found good.
    const unreadable = error._tag === "ProbeFailed"
    const final = inTheFile.has(error._tag) || ((gaveUp || unreadable) && attempt >= 2)
    return new ProcessingFailed({ message: error.message, final })
  }
