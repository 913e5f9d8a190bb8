import { EmbedPrivacyPolicy } from "@kinora/domain/enums/EmbedPrivacyPolicy"
import type { EmbedPrivacy } from "@kinora/storage/video/embed/EmbedRows"

/**
 * A host as browsers write it: lower case, international names in ASCII, without the port that is usual. Undefined when
 * the text is none.
 */
export const siteHost = (text: string): string | undefined => {
  const address = `https://${text}`
  if (!URL.canParse(address)) return undefined
  const { host, href } = new URL(address)
  return href === `https://${host}/` ? host.replace(/:80$/, "") : undefined
}

/**
 * Whether pages of a host may show the video in a frame: the one rule for the API and the embed page. A host is allowed
 * that is exactly one of the list, and the instance's own, which has pages to try embeds. What the restrictions of another
 * instance are is not known here.
 *
 * @param host as `siteHost` gives it
 */
export const mayEmbed = ({ domains, policy }: EmbedPrivacy, host: string, own: string): boolean =>
  policy === EmbedPrivacyPolicy.allAllowed ||
  host === own ||
  (policy === EmbedPrivacyPolicy.allowlist && domains.includes(host))

/** Host of the page that asks, by its `Referer`; undefined when it does not say, or says it in no way browsers do. */
export const refererHost = (referer: string | undefined): string | undefined => {
  if (referer === undefined || referer.length > 4096 || !URL.canParse(referer)) return undefined
  const { host, protocol } = new URL(referer)
  return protocol === "https:" || protocol === "http:" ? siteHost(host) : undefined
}
