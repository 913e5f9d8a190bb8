import type { Effect } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

/** Kinds of limits, after `rates_limit.*` of the configuration. */
export type RateLimitName =
  | "api"
  | "login"
  | "signup"
  | "ask_send_email"
  | "receive_client_log"
  | "plugins"
  | "well_known"
  | "feeds"
  | "activity_pub"
  | "client"
  | "download_generate_video"
  | "confirm_token"

/** At most `max` requests of one client in `windowMillis` milliseconds. */
export interface RateLimit {
  readonly max: number
  readonly windowMillis: number
  /**
   * Counted exactly among all nodes of a cluster, at the price of a statement in the database. For what guards secrets and for limits
   * of a few in a long time.
   */
  readonly exact?: boolean
}

export interface AccessEntry {
  readonly requestId: string
  readonly method: string
  /** Path and query, with the values of tokens replaced. */
  readonly url: string
  readonly status: number
  readonly millis: number
  /** Bytes of the body that was handed to the connection. */
  readonly bytes: number
  readonly ip: string
  readonly userAgent: string | undefined
}

/** Everything the HTTP server wants to know; `defaultHttpOptions` has a value for each. */
export interface HttpOptions {
  readonly hostname: string
  /** 0 takes a free port. */
  readonly port: number
  /** Absolute URL of the API reference, as problem documents name it. */
  readonly documentationUrl: string
  /** "loopback", "linklocal", "uniquelocal", addresses, CIDR networks. */
  readonly trustProxy: ReadonlyArray<string>
  /** A kind that is absent is not limited. */
  readonly rateLimits: Partial<Record<RateLimitName, RateLimit>>
  /** Most clients whose counts the memory store keeps. */
  readonly rateLimitClients: number
  /** Called for a client past its limit: true lets the request through (administrators, moderators, runners). */
  readonly rateLimitExempt: (request: HttpServerRequest) => Effect.Effect<boolean>
  readonly poweredBy: string | undefined
  readonly frameguard: boolean
  /** Whether the request is one of ActivityPub, which any origin may read. */
  readonly isActivityPub: (path: string, accept: string | undefined) => boolean
  /** Gets a line for every request; absent: none is written. */
  readonly accessLog: ((entry: AccessEntry) => void) | undefined
  /** Whether what is logged for a request carries its id. */
  readonly tagRequests: boolean
  /** Whether visitors may be answered from a read replica. */
  readonly laggingReads: boolean
  /** Bytes of a body that is read whole (JSON, forms); routes that stream have limits of their own. */
  readonly maxBodyBytes: number
  /** Whether a request (canonical path) streams its body and so is held to a rate instead of a total time. */
  readonly isUpload: (method: string, path: string) => boolean
  /** Paths on which a connection may become a web socket. */
  readonly isWebSocket: (path: string) => boolean
  readonly headersTimeoutMillis: number
  readonly bodyTimeoutMillis: number
  /** Bytes a second an upload must keep up over `uploadIdleMillis`. */
  readonly uploadMinBytesPerSecond: number
  readonly uploadIdleMillis: number
  readonly keepAliveTimeoutMillis: number
  /**
   * Reads that are worked on at once; those beyond are refused at once with 503, so that answers of the others stay quick. Visitors
   * have three quarters of them, so that users and administrators are still served when visitors are too many.
   */
  readonly maxReadsAtOnce: number
  /** A connection on which nothing moves for so long is closed. */
  readonly idleTimeoutMillis: number
  readonly maxConnections: number
  readonly maxConnectionsPerClient: number
  readonly shutdownMillis: number
  /** Bytes from which JSON and text answers are compressed when the client asks for it. */
  readonly compressFrom: number
}
