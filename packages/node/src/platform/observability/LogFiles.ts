import { DateTime, Effect, FileSystem, Option, Path, type PlatformError, Schema, type Scope } from "effect"

/** A line of the log as `Logger.formatJson` writes it. Other lines are passed over. */
const Line = Schema.Struct({
  message: Schema.Unknown,
  level: Schema.String,
  timestamp: Schema.String,
  cause: Schema.optionalKey(Schema.String),
  annotations: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})
export type LogLine = typeof Line.Type

const decodeLine = Schema.decodeUnknownOption(Schema.fromJsonString(Line))

export interface LogFilesOptions {
  readonly folder: string
  readonly name: string
  readonly maxFiles: number
}

/** What is read at most, whatever is asked for. */
export interface LogBounds {
  readonly bytes: number
  readonly lines: number
}

const block = 64 * 1024
/** A longer line is passed over: nothing of ours writes one. */
const longestLine = 1024 * 1024

/** Lines of a file from its end to its begin, without reading more of it than is asked for. */
const backwards = Effect.fnUntraced(function* (
  path: string,
  budget: { bytes: number },
  take: (line: string) => "more" | "enough"
): Effect.fn.Return<"more" | "enough", PlatformError.PlatformError, FileSystem.FileSystem | Scope.Scope> {
  const fs = yield* FileSystem.FileSystem
  const file = yield* fs.open(path, { flag: "r" })
  let end = Number((yield* file.stat).size)
  /** The begin of a line whose rest was read already. */
  let tail: Uint8Array = new Uint8Array(0)
  const decoder = new TextDecoder()
  while (end > 0 && budget.bytes > 0) {
    const size = Math.min(block, end)
    end -= size
    budget.bytes -= size
    const read = Option.getOrElse(yield* file.readAlloc(size, { position: BigInt(end) }), () => new Uint8Array(0))
    const bytes = Buffer.concat([read, tail])
    const first = end === 0 ? 0 : bytes.indexOf(10) + 1
    if (end > 0 && first === 0) {
      tail = bytes.length > longestLine ? new Uint8Array(0) : bytes
      continue
    }
    tail = bytes.subarray(0, first)
    const lines = decoder.decode(bytes.subarray(first)).split("\n")
    for (let i = lines.length - 1; i >= 0; i--) {
      const line = lines[i]!
      if (line !== "" && take(line) === "enough") return "enough"
    }
  }
  return budget.bytes > 0 ? "more" : "enough"
}, Effect.scoped)

/**
 * The newest lines of the rotated log, oldest first, that are between two moments and that `isWanted`. Reads the files from
 * the end, at most within the bounds.
 */
export const readLogFiles = Effect.fn("readLogFiles")(function* (
  { folder, maxFiles, name }: LogFilesOptions,
  span: { readonly from: Date | undefined; readonly to: Date | undefined },
  isWanted: (line: LogLine) => boolean,
  bounds: LogBounds
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const budget = { bytes: bounds.bytes }
  const found: Array<LogLine> = []
  const take = (text: string): "more" | "enough" => {
    const line = Option.getOrUndefined(decodeLine(text))
    const time = line === undefined ? undefined : Option.getOrUndefined(DateTime.make(line.timestamp))
    if (line === undefined || time === undefined) return "more"
    const millis = time.epochMilliseconds
    if (span.from !== undefined && millis < span.from.getTime()) return "enough"
    if ((span.to === undefined || millis <= span.to.getTime()) && isWanted(line)) found.push(line)
    return found.length >= bounds.lines ? "enough" : "more"
  }
  for (let age = 0; age < maxFiles; age++) {
    const file = path.join(folder, age === 0 ? `${name}.log` : `${name}.${age}.log`)
    if (!(yield* fs.exists(file))) break
    if ((yield* backwards(file, budget, take)) === "enough") break
  }
  return found.reverse()
})
