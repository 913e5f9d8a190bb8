import { Logger, LogLevel } from "effect"

const colours: Readonly<Record<string, string>> = { WARN: "33", ERROR: "31", FATAL: "31", DEBUG: "90", TRACE: "90" }

/** Text is written as it is, anything else as JSON, as in the log files. */
const textOf = (part: unknown): string => (typeof part === "string" ? part : (JSON.stringify(part) ?? String(part)))

/**
 * Lines for a terminal: time of day and text, and the level unless it is the usual one. Causes and annotations are
 * shown for errors or if details were requested. Log files contain everything.
 */
export const terminalFormat = (options: { readonly colours: boolean }): Logger.Logger<unknown, string> =>
  Logger.make((line) => {
    const { annotations, cause, level, message } = Logger.formatStructured.log(line)
    const isUsual = level === "INFO"
    const text = (Array.isArray(message) ? message : [message]).map(textOf).join(" ")
    const details = isUsual ? [] : Object.entries(annotations).map(([name, value]) => `${name}=${textOf(value)}`)
    const time = line.date.toTimeString().slice(0, 8)
    const shown = [`${time} `, ...(isUsual ? [] : [`${level.toLowerCase()}:`]), text, ...details].join(" ")
    const showsCause = cause !== undefined && LogLevel.isGreaterThanOrEqualTo(line.logLevel, "Warn")
    const whole = showsCause ? `${shown}\n${cause}` : shown
    const colour = options.colours ? colours[level] : undefined
    return colour === undefined ? whole : `\u001b[${colour}m${whole}\u001b[0m`
  })
