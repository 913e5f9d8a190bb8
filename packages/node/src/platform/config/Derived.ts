import { Option, Redacted } from "effect"
import type { ConfigTree } from "./Keys.ts"

/** What follows from several keys together. */
export interface Derived {
  /** `http://localhost:9000`: scheme, host and, unless it is the scheme's own, port of the public address. */
  readonly origin: string
  /** `localhost:9000`: the same without the scheme; the host part of handles and WebFinger subjects. */
  readonly host: string
  /** Absolute path of the folder of everything the instance keeps. */
  readonly dataDir: string
  /** Address of the external PostgreSQL; none: the embedded one below `dataDir`. */
  readonly databaseUrl: Option.Option<Redacted.Redacted<string>>
  /** Address of Redis; none: memory. */
  readonly redisUrl: Option.Option<Redacted.Redacted<string>>
  /** What the operator should know: unknown keys, with the nearest known one. */
  readonly warnings: ReadonlyArray<string>
}

const publicHost = ({ https, hostname, port }: ConfigTree["webserver"]): string =>
  port === (https ? 443 : 80) ? hostname : `${hostname}:${port}`

const databaseUrl = (database: ConfigTree["database"]): Option.Option<Redacted.Redacted<string>> => {
  if (database.url !== null) return Option.some(database.url)
  if (database.hostname === null) return Option.none()
  const url = new URL(`postgres://${database.hostname}:${database.port}`)
  url.username = encodeURIComponent(database.username)
  url.password = encodeURIComponent(Redacted.value(database.password))
  url.pathname = encodeURIComponent(database.name ?? `kinora${database.suffix}`)
  if (database.ssl) url.searchParams.set("sslmode", "require")
  return Option.some(Redacted.make(url.href))
}

/** Of the form that ioredis takes: a URL, or the path of a socket with its options as a query. */
const redisUrl = (redis: ConfigTree["redis"]): Option.Option<Redacted.Redacted<string>> => {
  if (redis.url !== null) return Option.some(redis.url)
  if (redis.socket !== null) {
    const options = new URLSearchParams({ db: String(redis.db) })
    if (redis.auth !== null) options.set("password", Redacted.value(redis.auth))
    return Option.some(Redacted.make(`${redis.socket}?${options.toString()}`))
  }
  if (redis.hostname === null) return Option.none()
  const url = new URL(`redis://${redis.hostname}:${redis.port}/${redis.db}`)
  if (redis.auth !== null) url.password = encodeURIComponent(Redacted.value(redis.auth))
  return Option.some(Redacted.make(url.href))
}

export const derive = (config: ConfigTree, dataDir: string, warnings: ReadonlyArray<string>): Derived => {
  const host = publicHost(config.webserver)
  return {
    origin: `${config.webserver.https ? "https" : "http"}://${host}`,
    host,
    dataDir,
    databaseUrl: databaseUrl(config.database),
    redisUrl: redisUrl(config.redis),
    warnings
  }
}
