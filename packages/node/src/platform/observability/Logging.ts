import { isatty } from "node:tty"
import { Console, Effect, Layer, Logger, type LogLevel, References } from "effect"
import { KinoraConfig } from "../config/Config.ts"
import type { Configuration } from "../config/Configuration.ts"
import { openRotatingFile } from "./RotatingFile.ts"
import { terminalFormat } from "./TerminalLogger.ts"

const levels: Readonly<Record<Configuration["log"]["level"], LogLevel.LogLevel>> = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error"
}

const terminalLogger = (format: Configuration["log"]["format"]): Logger.Logger<unknown, void> => {
  const pretty = format === "pretty" || (format === "auto" && isatty(1))
  return pretty ? Logger.withConsoleLog(terminalFormat({ colours: isatty(1) })) : Logger.consoleJson
}

/**
 * JSON lines into `storage.logs`. If the log cannot be written, this is reported on standard error, once until it works
 * again.
 */
const fileLogger = Effect.fnUntraced(function* (config: Configuration) {
  const file = yield* openRotatingFile({
    folder: config.storage.logs,
    name: "kinora",
    maxBytes: config.log.rotation.max_file_size,
    maxFiles: config.log.rotation.max_files
  })
  let failing = false
  return yield* Logger.batched(Logger.formatJson, {
    window: "200 millis",
    flush: (lines) =>
      file.append(lines).pipe(
        Effect.tap(() => Effect.sync(() => (failing = false))),
        Effect.catch((error) => {
          if (failing) return Effect.void
          failing = true
          return Console.error(`logs cannot be written to ${config.storage.logs}: ${error.message}`)
        })
      )
  })
})

/**
 * Structured logs: on standard output (pretty on a terminal, JSON lines otherwise) and, with `log.rotation.enabled`,
 * as JSON lines in `storage.logs`. Secrets are `Redacted` values and never come out readable.
 */
export const loggingLayer = Layer.unwrap(
  KinoraConfig.use((config) =>
    Effect.succeed(
      Layer.mergeAll(
        Logger.layer([terminalLogger(config.log.format), ...(config.log.rotation.enabled ? [fileLogger(config)] : [])]),
        Layer.succeed(References.MinimumLogLevel)(levels[config.log.level])
      )
    )
  )
)
