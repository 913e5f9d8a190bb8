import { Result } from "effect"
import { domainToASCII } from "node:url"

/** Longest resource looked at. */
const longest = 1000
const nameOf = /^[A-Za-z0-9\-_.:]{1,128}$/
const actorPath = /^\/(?:(?:accounts|a|video-channels|c)\/|@)([^/]+)\/?$/

/** What a WebFinger query asks for, in canonical form; `host` as `config.derived.host` writes it. */
export interface Subject {
  readonly name: string
  readonly host: string
}

/**
 * Host and port in one form: ASCII, lower case, no trailing dot, no port that is the scheme's own. Undefined when it is
 * no host.
 */
export const canonicalHost = (text: string, https: boolean): string | undefined => {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]/?#@\s]+)(?::(\d{1,5}))?$/i.exec(text)
  if (match === null) return undefined
  const host = match[1]!.startsWith("[") ? match[1]!.toLowerCase() : domainToASCII(match[1]!).replace(/\.$/, "")
  if (host === "") return undefined
  const port = match[2] === undefined ? undefined : Number(match[2])
  return port === undefined || port === (https ? 443 : 80) ? host : `${host}:${port}`
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** What stands before the host of an account (RFC 7565, 7). */
const userpart = /^(?:[\w\-.~!$&'()*+,;=:]|%[\da-f]{2})+$/i

const fromAccount = (text: string, https: boolean): Subject | undefined => {
  const at = text.lastIndexOf("@")
  const user = text.slice(0, Math.max(0, at))
  const name = decoded(user)
  const host = canonicalHost(decoded(text.slice(at + 1)) ?? "", https)
  if (name === undefined || host === undefined || !userpart.test(user)) return undefined
  // Nobody here is called so, and somebody could be.
  return { name: nameOf.test(name) ? name : "", host }
}

const fromUrl = (text: string): Subject | undefined => {
  const url = URL.parse(text)
  const name = url === null ? undefined : decoded(actorPath.exec(url.pathname)?.[1] ?? "")
  const host = url === null ? undefined : canonicalHost(url.host, url.protocol === "https:")
  if (name === undefined || host === undefined) return undefined
  // The address of something else of ours, or of nobody: well-formed, and unknown.
  return { name: nameOf.test(name) ? name : "", host }
}

/**
 * Reads the `resource` of a WebFinger query: an `acct:` URI (RFC 7565) or the http(s) address of an actor. Fails with a
 * sentence for the client when it is neither.
 */
export const parseResource = (resource: string, https: boolean): Result.Result<Subject, string> => {
  if (resource.length > longest) return Result.fail("The resource is too long")
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(resource)?.[1]?.toLowerCase()
  if (scheme === undefined) return Result.fail("Should be a URI, such as acct:name@host")
  const subject =
    scheme === "acct"
      ? fromAccount(resource.slice(5), https)
      : scheme === "http" || scheme === "https"
        ? fromUrl(resource)
        : undefined
  return subject === undefined
    ? Result.fail("Should be acct:name@host or the address of an actor")
    : Result.succeed(subject)
}
