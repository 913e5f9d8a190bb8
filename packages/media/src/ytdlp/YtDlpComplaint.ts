import { cleanLine } from "./ExternalRaw.ts"
import { ExternalTooLarge, ExternalUnusable, type YtDlpError, YtDlpFailed } from "./YtDlpErrors.ts"

const unusable: ReadonlyArray<readonly [pattern: RegExp, reason: ExternalUnusable["reason"]]> = [
  [/\bDRM\b/, "protected"],
  [/does not pass filter|live event|is not currently live|premieres? (?:in|will)|\bis offline\b/i, "live"],
  [/\bprivate\b|log ?in|sign in|members?[- ]only|--username|--cookies|HTTP Error 401|\bpassword\b/i, "private"],
  [
    /Unsupported URL|is not a valid URL|No video formats found|Requested format is not available|HTTP Error (?:404|410)|\bunavailable\b|has been removed|does not exist|no (?:media|video)s? (?:found|in)/i,
    "none"
  ]
]

const tooLarge = /larger than max-filesize|File too large/

/** Names and ports of unreachable servers are not shown. */
const unreachable =
  /Tunnel connection failed|\bproxy\b|ProxyError|urlopen error|Connection (?:reset|refused|aborted)|timed out|TransportError/i

/**
 * Interprets the program's last messages. The patterns may change with its version: unknown messages become
 * `YtDlpFailed`.
 */
export const complaint = (lines: ReadonlyArray<string>, maxBytes: number): YtDlpError => {
  if (lines.some((line) => tooLarge.test(line))) return new ExternalTooLarge({ maxBytes })
  const last = lines.findLast((line) => line.startsWith("ERROR:")) ?? lines.at(-1) ?? ""
  if (unreachable.test(last) && !/HTTP Error/.test(last)) {
    return new YtDlpFailed({ reason: "failed", message: "The address could not be reached" })
  }
  for (const [pattern, reason] of unusable) if (pattern.test(last)) return new ExternalUnusable({ reason })
  const words = last
    .replace(/^ERROR: */, "")
    .replace(/;? *please report this issue on.*$/s, "")
    .replaceAll(/(?<![\w:/.])\/[^\s'",;:)]+/g, "…")
    .replaceAll(/\b(?:\w+:\/\/)?(?:[^\s/@'"]*@)?(?:127\.\d+\.\d+\.\d+|localhost)(?::\d+)?/gi, "…")
  return new YtDlpFailed({ reason: "failed", message: cleanLine(words, 300) ?? "yt-dlp failed without a message" })
}
