import { Duration } from "effect"
import type { Configuration } from "../platform/config/Configuration.ts"
import { defaultHttpOptions } from "../platform/http/DefaultHttpOptions.ts"
import type { HttpOptions, RateLimit, RateLimitName } from "../platform/http/HttpOptions.ts"
import type { RateLimitExemption } from "../people/session/RateLimitExemption.ts"

/** A timeout of nothing would end every request, or none: node:http reads 0 as no limit. */
const shortestTimeout = 100

/** The HTTP server's options from the configuration. */
export const httpSettings = (
  config: Configuration,
  exemption: RateLimitExemption["Service"],
  accessLog: HttpOptions["accessLog"]
): HttpOptions => {
  const rateLimits: Partial<Record<RateLimitName, RateLimit>> = {}
  const configured = config.rates_limit as Readonly<
    Record<string, { readonly max: number; readonly window: Duration.Duration } | undefined>
  >
  for (const name of Object.keys(defaultHttpOptions.rateLimits) as Array<RateLimitName>) {
    const limit = configured[name] ?? undefined
    const usual = defaultHttpOptions.rateLimits[name]
    rateLimits[name] =
      limit === undefined
        ? usual!
        : { max: limit.max, windowMillis: Duration.toMillis(limit.window), exact: usual?.exact === true }
  }
  const requestTimeout = Math.max(Duration.toMillis(config.http.request_timeout), shortestTimeout)
  return {
    ...defaultHttpOptions,
    maxBodyBytes: config.http.body_limit,
    headersTimeoutMillis: Math.min(defaultHttpOptions.headersTimeoutMillis, requestTimeout),
    bodyTimeoutMillis: requestTimeout,
    shutdownMillis: Duration.toMillis(config.http.shutdown_timeout),
    tagRequests: config.log.tag_requests,
    laggingReads: config.database.replica.url !== null,
    maxReadsAtOnce: config.http.max_reads_at_once,
    hostname: config.listen.hostname,
    port: config.listen.port,
    documentationUrl: `${config.derived.origin}/docs`,
    trustProxy: config.trust_proxy,
    rateLimits,
    rateLimitExempt: exemption.isExempt,
    poweredBy: config.security.powered_by_header.enabled ? defaultHttpOptions.poweredBy : undefined,
    frameguard: config.security.frameguard.enabled,
    accessLog
  }
}
