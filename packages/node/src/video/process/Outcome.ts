import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import type { LeaseLost } from "@kinora/storage/platform/jobs/Job"
import type { VideoChanged } from "@kinora/storage/video/write/VideoPublication"
import { Data } from "effect"

/** A failed attempt, with a message for operators. `final`: retrying cannot help. */
export class ProcessingFailed extends Data.TaggedError("ProcessingFailed")<{
  readonly message: string
  readonly final: boolean
}> {}

/** How an attempt at a job of the pipeline can fail. */
export type JobFailure = ProcessingFailed | InsufficientStorage | DatabaseUnavailable | LeaseLost | VideoChanged

interface ToolError {
  readonly _tag: string
  readonly message: string
}

/** Media tool errors that are caused by the file and will repeat. */
const inTheFile = new Set(["UnsupportedMedia", "MalformedMp4"])

/** Failures of the machine: no file is to blame. */
const machineErrors = new Set(["ToolNotStarted", "ToolMissing", "PlatformError"])

/** Whether the machine was at fault, or something that killed the tool: the same work may end well later. */
export const isTransient = (error: ToolError): boolean =>
  machineErrors.has(error._tag) || ("isTransient" in error && error.isTransient === true)

/**
 * What a media tool error means for the job. If a tool rejects the file in two attempts, it will in a third. If it was
 * killed or the disk was full, a retry may succeed.
 */
export const toolFailed =
  (attempt: number) =>
  (error: ToolError): ProcessingFailed => {
    const gaveUp = error._tag === "FfmpegFailed" && "reason" in error && error.reason === "exit"
    // The upload was probed before, and was fine.
    const unreadable = error._tag === "ProbeFailed"
    if (isTransient(error)) return new ProcessingFailed({ message: error.message, final: false })
    const final = inTheFile.has(error._tag) || ((gaveUp || unreadable) && attempt >= 2)
    return new ProcessingFailed({ message: error.message, final })
  }
