interface Failure {
  readonly _tag: string
  readonly message: string
  readonly reason?: unknown
  readonly stderr?: ReadonlyArray<string>
}

/** Whose fault a failure of the tools is, in words that name no paths of this machine. */
export interface Blame {
  /** What stands in the way of the machine, as against the file: another one, or a later try, may do. */
  readonly machine: boolean
  readonly words: string
}

const machine = new Set(["ToolMissing", "ToolNotStarted", "PlatformError", "SchemaError"])
const lastLines = 10
/** The disk is full, or ffmpeg was built without what we ask of it: of no file's making. */
const lacking = /No space left on device|Unknown encoder|No such filter|Encoder not found|Filter not found/

/** Words of a tool without the paths of this machine. */
export const withoutPaths = (words: string): string => words.replaceAll(/(?:file:)?\/(?:[^\s/:'"|,]+\/)*/g, "").trim()

/** Why work failed: in the tool's last words when it left any. */
export const blame = (error: Failure): Blame => {
  const lines = error.stderr?.slice(-lastLines) ?? []
  const words = withoutPaths(lines.length > 0 ? `The encoder failed:\n${lines.join("\n")}` : error.message)
  const starved = error._tag === "FfmpegFailed" && (error.reason === "spawn" || lacking.test(words))
  return { machine: machine.has(error._tag) || starved, words }
}
