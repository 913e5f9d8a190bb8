import type { ServerLogLevel } from "@kinora/domain/enums/LogLevel"
import { serverLogLevels } from "@kinora/domain/enums/LogLevel"
import type { LogRow } from "@kinora/domain/wire/Log"
import { Context, Effect, type FileSystem, Layer, type Path } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type LogLine, readLogFiles } from "../../platform/observability/LogFiles.ts"

const bounds = { bytes: 16 * 1024 * 1024, lines: 1_000 }

const wireLevels: Readonly<Record<string, ServerLogLevel>> = {
  TRACE: "debug",
  DEBUG: "debug",
  INFO: "info",
  WARN: "warn",
  ERROR: "error",
  FATAL: "error"
}

const levelOf = ({ level }: LogLine): ServerLogLevel => wireLevels[level] ?? "info"

const textOf = (message: unknown): string =>
  typeof message === "string"
    ? message
    : Array.isArray(message)
      ? message.map(textOf).join(" ")
      : JSON.stringify(message)

/** What a line can be found by: the task that wrote it, and tags that were put to it. */
const tagsOf = ({ annotations = {} }: LogLine): ReadonlyArray<string> =>
  ["task", "tag"].flatMap((name) => {
    const value = annotations[name]
    return typeof value === "string" ? [value] : []
  })

const rowOf = (line: LogLine): LogRow => {
  const { annotations = {}, cause, message, timestamp } = line
  return {
    timestamp,
    level: levelOf(line),
    message: textOf(message),
    tags: tagsOf(line),
    ...(cause === undefined ? {} : { err: { stack: cause } }),
    ...(Object.keys(annotations).length === 0 ? {} : { meta: annotations })
  }
}

export interface LogQuery {
  readonly from: Date | undefined
  readonly to: Date | undefined
  /** The least important level that is listed. */
  readonly level: ServerLogLevel
  /** With any of these tags; empty: all. */
  readonly tags: ReadonlyArray<string>
}

/** The log of this node, from its own files (`log.rotation`). */
export class ServerLogs extends Context.Service<
  ServerLogs,
  {
    /** At most the newest thousand lines, the oldest of them first. A file that cannot be read ends the list. */
    readonly list: (query: LogQuery) => Effect.Effect<ReadonlyArray<LogRow>>
  }
>()("@kinora/node/logs/ServerLogs") {
  static readonly layer = Layer.effect(
    ServerLogs,
    Effect.gen(function* () {
      const { log, storage } = yield* KinoraConfig
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const files = { folder: storage.logs, name: "kinora", maxFiles: log.rotation.max_files }

      const list = Effect.fn("ServerLogs.list")(function* ({ from, level, tags, to }: LogQuery) {
        const least = serverLogLevels.indexOf(level)
        const isWanted = (line: LogLine) =>
          serverLogLevels.indexOf(levelOf(line)) >= least &&
          (tags.length === 0 || tagsOf(line).some((tag) => tags.includes(tag)))
        const lines = yield* readLogFiles(files, { from, to }, isWanted, bounds).pipe(
          Effect.provideContext(platform),
          Effect.catch((error) => Effect.as(Effect.logWarning("The log files cannot be read", error), []))
        )
        return lines.map(rowOf)
      })

      return ServerLogs.of({ list })
    })
  )
}
