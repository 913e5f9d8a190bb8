import type { VideoDetails } from "@kinora/domain/wire/Video"
import type { PageInstance } from "./PageInstance.ts"

/** What one page needs beyond the strict policy. */
export interface PagePolicy {
  /** Other sites may embed the page in a frame. */
  readonly framed?: boolean
  /** The page asks for camera, microphone and screen, to go live. */
  readonly captures?: boolean
  /** The only other hosts whose pages may embed it. */
  readonly framedBy?: ReadonlyArray<string> | undefined
  /** The page itself shows one of our embeds in a frame. */
  readonly frames?: boolean
  /** Other origins of media files and images on this page. */
  readonly origins?: ReadonlyArray<string>
}

type Instance = PageInstance["Service"]

/**
 * The content security policy: nothing inline, nothing from other origins. JSON-LD blocks are data, so the policy does
 * not apply to them. Players set styles through the DOM, which style-src does not restrict.
 */
const contentSecurityPolicy = (instance: Instance, policy: PagePolicy): string => {
  const elsewhere = [...new Set([...instance.mediaOrigins, ...(policy.origins ?? [])])].map((it) => ` ${it}`).join("")
  const directives = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data:${elsewhere}`,
    `media-src 'self' blob:${elsewhere}`,
    `connect-src 'self'${elsewhere}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-src ${policy.frames === true ? "'self'" : "'none'"}`,
    // If off, a proxy in front decides who may frame pages.
    ...(policy.framed === true
      ? [`frame-ancestors ${policy.framedBy === undefined ? "*" : ["'self'", ...policy.framedBy].join(" ")}`]
      : instance.frameguard
        ? ["frame-ancestors 'none'"]
        : [])
  ]
  return instance.csp.reportUri === null
    ? directives.join("; ")
    : [...directives, `report-uri ${encodeURI(instance.csp.reportUri).replace(/[;,]/g, encodeURIComponent)}`].join("; ")
}

const captured = ["camera", "microphone", "display-capture"]

/** Who may ask for camera, microphone and screen (Permissions Policy): the pages that need them, or nobody. */
const permissionsPolicy = (allowed: boolean): string =>
  captured.map((feature) => `${feature}=${allowed ? "(self)" : "()"}`).join(", ")

/** The headers of a page. */
export const pageHeaders = (instance: Instance, policy: PagePolicy): Record<string, string> => ({
  ...(instance.csp.enabled
    ? {
        [instance.csp.reportOnly ? "content-security-policy-report-only" : "content-security-policy"]:
          contentSecurityPolicy(instance, policy)
      }
    : {}),
  ...(policy.framed === true || !instance.frameguard ? {} : { "x-frame-options": "DENY" }),
  "permissions-policy": permissionsPolicy(policy.captures === true),
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cache-control": "public, max-age=0"
})

/** DNS host names or IPv6 addresses. Other hosts that a URL may contain could end a directive or a source. */
const plainHost = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/

/** Origins of these addresses, without our own and those that a policy cannot express. */
export const expressible = (addresses: ReadonlyArray<string>, own: string): ReadonlyArray<string> => {
  const origins = addresses
    .map((it) => URL.parse(it))
    .filter((it) => (it?.protocol === "https:" || it?.protocol === "http:") && plainHost.test(it.hostname))
  return [...new Set(origins.map((it) => it!.origin))].filter((it) => it !== own)
}

/** Origins of the media files and images of a remote video, as its object names them. */
export const originsOf = (video: VideoDetails, own: string): ReadonlyArray<string> => {
  if (video.isLocal) return []
  const addresses = [
    ...video.streamingPlaylists.map((it) => it.playlistUrl),
    ...video.streamingPlaylists.flatMap((it) => it.files.map((file) => file.fileUrl)),
    ...video.files.map((it) => it.fileUrl),
    ...video.thumbnails.map((it) => it.fileUrl)
  ]
  return expressible(addresses, own)
}
