import { wantsActivity } from "@kinora/federation/negotiation/Accept"
import { Effect } from "effect"
import type { HttpOptions, RateLimit } from "./HttpOptions.ts"

const seconds = (count: number): number => count * 1000
const minutes = (count: number): number => count * 60_000
const limit = (max: number, windowMillis: number): RateLimit => ({ max, windowMillis })
const exact = (max: number, windowMillis: number): RateLimit => ({ max, windowMillis, exact: true })

/** Paths whose bodies are streamed to disk. */
const uploads =
  /^\/api\/v1\/(?:videos\/upload(?:-resumable)?|videos\/[^/]+\/source\/replace-resumable|(?:users\/me|video-channels\/[^/]+)\/(?:avatar|banner)\/pick|users\/[^/]+\/imports\/import-resumable|runners\/jobs\/[^/]+\/(?:update|success))$/

/** Values for a server that nobody configured: the limits are those of the specification. */
export const defaultHttpOptions: HttpOptions = {
  hostname: "127.0.0.1",
  port: 9000,
  documentationUrl: "/docs",
  trustProxy: ["loopback"],
  rateLimits: {
    api: limit(50, seconds(10)),
    login: exact(15, minutes(5)),
    signup: exact(2, minutes(5)),
    ask_send_email: exact(3, minutes(5)),
    receive_client_log: limit(30, minutes(1)),
    plugins: limit(500, seconds(10)),
    well_known: limit(200, seconds(10)),
    feeds: limit(50, seconds(10)),
    activity_pub: limit(500, seconds(10)),
    client: limit(500, seconds(10)),
    download_generate_video: limit(5, seconds(5)),
    confirm_token: exact(10, minutes(10))
  },
  rateLimitClients: 100_000,
  rateLimitExempt: () => Effect.succeed(false),
  poweredBy: "Kinora",
  frameguard: true,
  isActivityPub: (path, accept) => !path.startsWith("/api/") && wantsActivity(accept),
  accessLog: undefined,
  tagRequests: false,
  laggingReads: false,
  maxBodyBytes: 1024 * 1024,
  isUpload: (_method, path) => uploads.test(path),
  isWebSocket: (path) => path.startsWith("/socket.io") || path === "/tracker/socket",
  headersTimeoutMillis: seconds(15),
  bodyTimeoutMillis: seconds(30),
  uploadMinBytesPerSecond: 512,
  uploadIdleMillis: seconds(60),
  keepAliveTimeoutMillis: seconds(65),
  idleTimeoutMillis: minutes(2),
  maxReadsAtOnce: 256,
  maxConnections: 10_000,
  maxConnectionsPerClient: 1_000,
  shutdownMillis: seconds(10),
  compressFrom: 1024
}
