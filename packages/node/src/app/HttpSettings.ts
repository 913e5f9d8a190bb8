import { Duration, Effect } from "effect"
import type { Configuration } from "../config/Config.ts"
import { defaultHttpOptions } from "../http/DefaultHttpOptions.ts"
import type { AccessEntry, HttpOptions, RateLimit, RateLimitName } from "../http/HttpOptions.ts"
import type { RateLimitExemption } from "../sessions/RateLimitExemption.ts"

const pings = /^\/api\/v1\/ping\/?$/

/** The HTTP server's options from the configuration. */
export const httpSettings = (
  config: Configuration,
  exemption: RateLimitExemption["Service"],
  log: (entry: AccessEntry) => void
): HttpOptions => {
  const rateLimits: Partial<Record<RateLimitName, RateLimit>> = {}
  const configured = config.rates_limit as Readonly<
    Record<string, { readonly max: number; readonly window: Duration.Duration } | undefined>
  >
  for (const name of Object.keys(defaultHttpOptions.rateLimits) as Array<RateLimitName>) {
    const limit = configured[name] ?? undefined
    const usual = defaultHttpOptions.rateLimits[name]
    rateLimits[name] = limit === undefined ? usual! : { max: limit.max, windowMillis: Duration.toMillis(limit.window) }
  }
  return {
    ...defaultHttpOptions,
    hostname: config.listen.hostname,
    port: config.listen.port,
    documentationUrl: `${config.derived.origin}/docs`,
    trustProxy: config.trust_proxy,
    rateLimits,
    rateLimitExempt: exemption.isExempt,
    poweredBy: config.security.powered_by_header.enabled ? defaultHttpOptions.poweredBy : undefined,
    frameguard: config.security.frameguard.enabled,
    accessLog: config.log.log_http_requests
      ? (entry) => {
          if (config.log.log_ping_requests || !pings.test(entry.url)) log(anonymise(config, entry))
        }
      : undefined
  }
}

const anonymise = (config: Configuration, entry: AccessEntry): AccessEntry =>
  config.log.anonymize_ip ? { ...entry, ip: "-" } : entry

/** Lines of the access log go to the log at level debug, failures of ours at warn. */
export const accessLine = (entry: AccessEntry): Effect.Effect<void> =>
  Effect.annotateLogs(
    entry.status >= 500
      ? Effect.logWarning(`${entry.method} ${entry.url} ${entry.status}`)
      : Effect.logDebug(`${entry.method} ${entry.url} ${entry.status}`),
    { ...entry }
  )
