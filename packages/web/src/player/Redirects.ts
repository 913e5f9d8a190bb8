/** Asks an instance of this kind for the file itself, where it would send readers to its object storage. */
const parameter = "redirect=false"

let isStopped = false

/**
 * Notices when this page's policy stops a redirect: the instance of the video keeps its files elsewhere, at a host that was
 * not known when the page was made.
 */
export const watchRedirects = (): void =>
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
    if (effectiveDirective === "connect-src" || effectiveDirective === "media-src") isStopped = true
  })

/** The address to ask: as it is until a redirect was stopped, then without redirects at other instances. */
export const reachable = (address: string): string => {
  if (!isStopped) return address
  const url = URL.parse(address, location.href)
  if (url === null || url.origin === location.origin || url.search.includes(parameter)) return address
  url.search += `${url.search === "" ? "" : "&"}${parameter}`
  return url.href
}
