import { constraints } from "@kinora/domain/enums/Constraints"

/** What the server imports videos from. */
export interface Offered {
  readonly http: boolean
  readonly torrent: boolean
}

/** Where a video is imported from, as the API takes it. */
export type Source = { readonly targetUrl: string } | { readonly magnetUri: string }

/** What is wrong with a text that should name a video, by the key of the message that says so. */
export type SourceError = "addressWrong" | "magnetWrong" | "addressesOff" | "magnetsOff"

const { url } = constraints.import

const isMagnet = (text: string): boolean => /^magnet:/i.test(text)

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

/** Reads the address of a video or a magnet link. */
export const sourceOf = (typed: string, offered: Offered): Source | SourceError => {
  const text = typed.trim()
  const fits = text.length >= url.min && text.length <= url.max
  if (isMagnet(text)) {
    if (!offered.torrent) return "magnetsOff"
    return fits && text.includes("urn:btih:") ? { magnetUri: text } : "magnetWrong"
  }
  if (!fits || !isAddress(text)) return offered.http ? "addressWrong" : "magnetWrong"
  return offered.http ? { targetUrl: text } : "addressesOff"
}

/** The address of a channel elsewhere, or undefined. */
export const channelAddressOf = (typed: string): string | undefined => {
  const text = typed.trim()
  return text.length >= url.min && text.length <= url.max && isAddress(text) ? text : undefined
}
