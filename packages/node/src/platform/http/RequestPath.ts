import type { RateLimitName } from "./HttpOptions.ts"

/** What the path of a request says about how it is treated. */
export interface PathClass {
  /** Label of metrics: a small closed set. */
  readonly family: string
  readonly limit: RateLimitName | undefined
  /** A second limit, counted besides the first. */
  readonly extraLimit: RateLimitName | undefined
  /** Whether only successful requests count against `extraLimit`. */
  readonly skipFailed: boolean
  /** Whether only requests count that showed no good secret (`ProvenRequests`). */
  readonly skipExempt: boolean
  readonly cors: boolean
  readonly frames: boolean
}

const make = (family: string, limit?: RateLimitName, options?: Partial<PathClass>): PathClass => ({
  family,
  limit,
  extraLimit: undefined,
  skipFailed: false,
  skipExempt: false,
  cors: false,
  frames: false,
  ...options
})

const api = make("api", "api", { cors: true })
const embed = make("embed", "client", { frames: true })

const families: Readonly<Record<string, PathClass>> = {
  "": make("client", "client"),
  api,
  download: make("download", undefined, { cors: true }),
  "lazy-static": make("lazy-static", undefined, { cors: true }),
  static: make("static", undefined, { cors: true }),
  "object-storage-proxy": make("static", undefined, { cors: true }),
  ".well-known": make("well-known", "well_known", { cors: true }),
  nodeinfo: make("well-known", "well_known", { cors: true }),
  feeds: make("feeds", "feeds", { cors: true }),
  plugins: make("plugins", "plugins"),
  themes: make("plugins", "plugins"),
  client: make("assets"),
  assets: make("assets"),
  services: make("services", "client", { cors: true }),
  tracker: make("tracker"),
  "socket.io": make("socket", undefined, { cors: true }),
  runners: make("socket")
}

const activityPub = make("activity-pub", "activity_pub", { cors: true })
/** What an instance with much to tell sends is bounded by what may wait (`InboxBacklog`), as long as its signatures hold. */
const inbox = make("activity-pub", "activity_pub", { cors: true, skipExempt: true })

const limited = (extraLimit: RateLimitName, skipFailed = false): PathClass =>
  make("api", "api", { cors: true, extraLimit, skipFailed })

const apiExact: ReadonlyMap<string, PathClass> = new Map([
  ["POST /api/v1/users/token", limited("login")],
  ["POST /api/v1/users/register", limited("signup", true)],
  ["POST /api/v1/users/registrations/request", limited("signup", true)],
  ["POST /api/v1/users/ask-send-verify-email", limited("ask_send_email")],
  ["POST /api/v1/users/registrations/ask-send-verify-email", limited("ask_send_email")],
  ["POST /api/v1/users/ask-reset-password", limited("ask_send_email")],
  ["POST /api/v1/server/logs/client", limited("receive_client_log")]
])

const confirmations =
  /^POST \/api\/v1\/users\/(?:registrations\/)?\d+\/(?:reset-password|verify-email|two-factor\/confirm-request)$/

/** Requests of runners: their tokens are in the body, and those whose token is good are not counted. */
const ofRunners =
  /^POST \/api\/v1\/runners\/(?:unregister|jobs\/(?:request|[^/]+\/(?:accept|abort|error|update|success|files\/.+)))$/
const runner = make("api", "api", { cors: true, skipExempt: true })

/** Whether a request, by method and canonical path, is one that runners show their token with. */
export const isOfRunners = (method: string, path: string): boolean => ofRunners.test(`${method} ${path}`)

const generate = make("download", "download_generate_video", { cors: true, skipFailed: true })
const isInbox = /^\/(?:(?:accounts|video-channels)\/[^/]+\/)?inbox$/

/**
 * The path as the router sees it: decoded, lower case, without double or trailing slashes, so that no spelling of a
 * path escapes its limits. A path that cannot be decoded stays as it is; no route has it.
 */
export const canonicalPath = (url: string): string => {
  let end = url.length
  let clean = true
  for (let i = 0; i < url.length; i++) {
    const code = url.charCodeAt(i)
    if (code === 63 || code === 35 || code === 59) {
      end = i
      break
    }
    if (code === 37 || (code >= 65 && code <= 90) || (code === 47 && url.charCodeAt(i - 1) === 47)) clean = false
  }
  const path = end === url.length ? url : url.slice(0, end)
  if (clean && (end === 1 || url.charCodeAt(end - 1) !== 47)) return path
  let decoded = path
  try {
    decoded = decodeURI(path)
  } catch {
    return path
  }
  const tidy = decoded.replace(/\/{2,}/g, "/").toLowerCase()
  return tidy.length > 1 && tidy.endsWith("/") ? tidy.slice(0, -1) : tidy
}

/** How a request is treated, by method and canonical path. */
export const classify = (
  method: string,
  path: string,
  accept: string | undefined,
  isActivityPub: (path: string, accept: string | undefined) => boolean
): PathClass => {
  const slash = path.indexOf("/", 1)
  const family = families[slash === -1 ? path.slice(1) : path.slice(1, slash)]
  if (family === api) {
    if (method !== "POST") return api
    const key = `POST ${path}`
    if (ofRunners.test(key)) return runner
    return apiExact.get(key) ?? (confirmations.test(key) ? limited("confirm_token") : api)
  }
  if (family !== undefined && family.family !== "client") {
    return path.startsWith("/download/videos/generate/") ? generate : family
  }
  if (path.startsWith("/videos/embed/") || path.startsWith("/video-playlists/embed/")) return embed
  if (isInbox.test(path)) return method === "POST" ? inbox : activityPub
  if (isActivityPub(path, accept)) return activityPub
  return families[""] as PathClass
}

/** Names of parameters that carry tokens. */
export const secretNames = /token|jwt|password|secret|code|verification/i
const secretParameter = new RegExp(`([?&](?:[^=&]*(?:${secretNames.source})[^=&]*)=)[^&]*`, "gi")

/** The URL as it may be logged: values of parameters that carry tokens are left out. */
export const redactUrl = (url: string): string => (url.includes("=") ? url.replace(secretParameter, "$1…") : url)
