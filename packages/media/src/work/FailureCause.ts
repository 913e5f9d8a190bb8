interface Failure {
  readonly _tag: string
  readonly message: string
  readonly reason?: unknown
  readonly stderr?: ReadonlyArray<string>
}

/** The cause of a tool failure, as a message without paths of this machine. */
export interface FailureCause {
  /** Whether the machine is the cause and not the file: another machine, or a later try, may succeed. */
  readonly machine: boolean
  readonly words: string
}

const machine = new Set(["ToolMissing", "ToolNotStarted", "PlatformError", "SchemaError"])
const lastLines = 10
/** The disk is full, or ffmpeg lacks a feature that we need: not caused by the file. */
const lacking = /No space left on device|Unknown encoder|No such filter|Encoder not found|Filter not found/

/** A tool's message without the paths of this machine. */
export const withoutPaths = (words: string): string => words.replaceAll(/(?:file:)?\/(?:[^\s/:'"|,]+\/)*/g, "").trim()

/** Why work failed, with the tool's last message if there is one. */
export const blame = (error: Failure): FailureCause => {
  const lines = error.stderr?.slice(-lastLines) ?? []
  const words = withoutPaths(lines.length > 0 ? `The encoder failed:\n${lines.join("\n")}` : error.message)
  const starved = error._tag === "FfmpegFailed" && (error.reason === "spawn" || lacking.test(words))
  return { machine: machine.has(error._tag) || starved, words }
}
