/** A name or an IPv4 address with at least one dot, or localhost; a port where it is not the scheme's own. */
const hostname =
  /^(?=.{1,253}(?::|$))(?:localhost|(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{1,63})(?::\d{1,5})?$/

/** Reads the host of an instance, also where it is given as its address; undefined when it is none. */
export const parseHost = (text: string): string | undefined => {
  const host = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/+$/, "")
  return hostname.test(host) ? host : undefined
}
