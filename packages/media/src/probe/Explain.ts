import { type FfmpegFailed, ProbeFailed, ToolNotStarted, UnsupportedMedia } from "../errors/MediaErrors.ts"

/** What is said about files that are something else. */
export const notMedia = (): ProbeFailed =>
  new ProbeFailed({ reason: "not-media", detail: "The file is not a video or sound file we can read." })

/** ISO base media files begin with one of these boxes: only they can be blamed for a missing index. */
const looksLikeMp4 = (head: Uint8Array): boolean =>
  ["ftyp", "moov", "mdat", "free", "skip", "wide"].includes(String.fromCharCode(...head.subarray(4, 8)))

/**
 * What a failed run says about the file, whose first bytes are `head`. The tool's own words name paths, so they stay in the log.
 */
export const explain = (failure: FfmpegFailed, head: Uint8Array): ProbeFailed | UnsupportedMedia | ToolNotStarted => {
  if (failure.reason === "spawn") return new ToolNotStarted({ tool: failure.tool, detail: failure.message })
  const said = failure.stderr.join("\n")
  const codec = /Codec \((\w+)\) not on whitelist/.exec(said)?.[1]
  if (codec !== undefined) {
    return new UnsupportedMedia({ reason: "codec", detail: `Videos with the codec ${codec} are not accepted.` })
  }
  if (failure.reason === "timeout") {
    return new ProbeFailed({
      reason: "timeout",
      detail: "Looking into the file took too long; it is probably damaged."
    })
  }
  if (failure.reason === "output") {
    return new ProbeFailed({ reason: "too-much-output", detail: "The file describes more than a video can hold." })
  }
  const cut = /moov atom not found|error reading header|truncated|End of file|Cannot allocate memory/i.test(said)
  if (failure.reason === "signal" || (cut && looksLikeMp4(head))) {
    return new ProbeFailed({ reason: "damaged", detail: "The file is damaged or incomplete." })
  }
  return notMedia()
}
