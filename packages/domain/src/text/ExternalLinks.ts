import { withoutMarkup } from "./MarkdownText.ts"

const link = /(?:https?:\/\/|(?<![\p{L}\p{N}.@/-])www\.)[^\s<>"'()[\]{}|\\^`]+/giu

/** Scheme, user, and the host with a port that is not the scheme's own. */
const parts = /^(?:(https?):\/\/)?(?:[^/?#]*@)?([^/?#]+)/

const hostOf = (address: string): string | undefined => {
  const [, scheme = "https", host] = parts.exec(address.toLowerCase()) ?? []
  return host?.replace(scheme === "https" ? /:443$/ : /:80$/, "")
}

/** Whether a Markdown text has a link to another host than this one. */
export const hasExternalLink = (text: string, ownHost: string): boolean =>
  (withoutMarkup(text).match(link) ?? []).some((address) => {
    const host = hostOf(address)
    return host !== undefined && host !== ownHost
  })
