import { EmbedPrivacyPolicy } from "@kinora/domain/enums/EmbedPrivacyPolicy"
import type { EmbedPrivacy } from "@kinora/storage/video/embed/EmbedRows"

/**
 * A host as browsers write it: lower case, international names in ASCII, without the default port. Undefined if the
 * text is not a host.
 */
export const siteHost = (text: string): string | undefined => {
  const address = `https://${text}`
  if (!URL.canParse(address)) return undefined
  const { host, href } = new URL(address)
  return href === `https://${host}/` ? host.replace(/:80$/, "") : undefined
}

/**
 * Whether pages of a host may embed the video: the one rule for the API and the embed page. A host is allowed if it is
 * exactly one of the list. The instance itself is always allowed, since it has pages to try embeds. The restrictions of
 * remote videos are unknown here.
 *
 * @param host as `siteHost` gives it
 */
export const mayEmbed = ({ domains, policy }: EmbedPrivacy, host: string, own: string): boolean =>
  policy === EmbedPrivacyPolicy.allAllowed ||
  host === own ||
  (policy === EmbedPrivacyPolicy.allowlist && domains.includes(host))

/** Host of the embedding page, from its `Referer`. Undefined if the header is missing or not as browsers write it. */
export const refererHost = (referer: string | undefined): string | undefined => {
  if (referer === undefined || referer.length > 4096 || !URL.canParse(referer)) return undefined
  const { host, protocol } = new URL(referer)
  return protocol === "https:" || protocol === "http:" ? siteHost(host) : undefined
}
