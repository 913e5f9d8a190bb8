import { type FfmpegFailed, ProbeFailed, ToolNotStarted, UnsupportedMedia } from "../errors/MediaErrors.ts"

/** The error for files that are not media. */
export const notMedia = (): ProbeFailed =>
  new ProbeFailed({ reason: "not-media", detail: "The file is not a video or audio file that can be read." })

/** ISO base media files begin with one of these boxes. Only for them a missing index is the cause. */
const looksLikeMp4 = (head: Uint8Array): boolean =>
  ["ftyp", "moov", "mdat", "free", "skip", "wide"].includes(String.fromCharCode(...head.subarray(4, 8)))

/**
 * The error for a file, from a failed run and the file's first bytes `head`. The tool's own message contains paths, so
 * it stays in the log.
 */
export const explain = (failure: FfmpegFailed, head: Uint8Array): ProbeFailed | UnsupportedMedia | ToolNotStarted => {
  // Out of memory, say: nothing is known of the file.
  if (failure.reason === "spawn" || failure.isTransient) {
    return new ToolNotStarted({ tool: failure.tool, detail: failure.message })
  }
  const said = failure.stderr.join("\n")
  const codec = /Codec \((\w+)\) not on whitelist/.exec(said)?.[1]
  if (codec !== undefined) {
    return new UnsupportedMedia({ reason: "codec", detail: `Videos with the codec ${codec} are not accepted.` })
  }
  if (failure.reason === "timeout") {
    return new ProbeFailed({
      reason: "timeout",
      detail: "Probing the file took too long. It is probably damaged."
    })
  }
  if (failure.reason === "output") {
    return new ProbeFailed({ reason: "too-much-output", detail: "The file describes more than a video can hold." })
  }
  if (/Cannot allocate memory/i.test(said)) {
    return new ProbeFailed({
      reason: "damaged",
      detail: "The file needs more memory to be read than there is. It is probably damaged."
    })
  }
  const cut = /moov atom not found|error reading header|truncated|End of file/i.test(said)
  if (failure.reason === "signal" || (cut && looksLikeMp4(head))) {
    return new ProbeFailed({ reason: "damaged", detail: "The file is damaged or incomplete." })
  }
  return notMedia()
}
