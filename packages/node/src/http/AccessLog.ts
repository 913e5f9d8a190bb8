import { Effect, type LogLevel } from "effect"
import type { AccessEntry } from "./HttpOptions.ts"

/** The network of an address: what is left when clients are not to be told apart. */
const anonymous = (ip: string): string =>
  ip.includes(":") ? `${ip.split(":").slice(0, 3).join(":")}::` : ip.replace(/\.\d+$/, ".0")

/**
 * What writes the access log through the loggers of the program, at a level of its own; what failed inside is an error
 * of its own already. Nothing is built when the level is not logged.
 */
export const makeAccessLog = (options: {
  readonly level: LogLevel.Severity
  /** Whether requests of `/api/v1/ping` are written too. */
  readonly pings: boolean
  readonly anonymizeIp: boolean
}): Effect.Effect<(entry: AccessEntry) => void> =>
  Effect.map(Effect.context<never>(), (context) => {
    const run = Effect.runForkWith(context)
    const write = Effect.logWithLevel(options.level)
    return (entry) => {
      if (!options.pings && entry.url.startsWith("/api/v1/ping")) return
      const ip = options.anonymizeIp ? anonymous(entry.ip) : entry.ip
      run(Effect.annotateLogs(write(`${entry.method} ${entry.url} ${entry.status}`), { ...entry, ip }))
    }
  })
