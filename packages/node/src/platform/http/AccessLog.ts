import { Context, Effect, LogLevel, References } from "effect"
import type { AccessEntry } from "./HttpOptions.ts"

/** The network of an address: what is logged when clients must not be distinguishable. */
const anonymous = (ip: string): string =>
  ip.includes(":") ? `${ip.split(":").slice(0, 3).join(":")}::` : ip.replace(/\.\d+$/, ".0")

/**
 * What writes the access log through the loggers of the program: at the given level, and failures of ours as warnings.
 * A line whose level is not logged costs nothing.
 */
export const makeAccessLog = (options: {
  readonly level: LogLevel.Severity
  /** Whether requests of `/api/v1/ping` are written too. */
  readonly pings: boolean
  readonly anonymizeIp: boolean
}): Effect.Effect<(entry: AccessEntry) => void> =>
  Effect.map(Effect.context<never>(), (context) => {
    const run = Effect.runForkWith(context)
    const minimum = Context.get(context, References.MinimumLogLevel)
    const isLogged = LogLevel.isGreaterThanOrEqualTo(options.level, minimum)
    const usual = Effect.logWithLevel(options.level)
    return (entry) => {
      const isFailure = entry.status >= 500
      if (!isLogged && !isFailure) return
      if (!options.pings && entry.url.startsWith("/api/v1/ping")) return
      const ip = options.anonymizeIp ? anonymous(entry.ip) : entry.ip
      const line = `${entry.method} ${entry.url} ${entry.status}`
      run(Effect.annotateLogs(isFailure ? Effect.logWarning(line) : usual(line), { ...entry, ip }))
    }
  })
