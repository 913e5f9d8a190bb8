import type { ExpectedFingerprint } from "../dtls/DtlsServer.ts"
import { Malformed } from "../bytes/Malformed.ts"
import { type Format, h264Of, opusOf } from "./Codecs.ts"
import {
  type MediaSection,
  readDescription,
  type Section,
  type SessionDescription,
  valueOf
} from "./SessionDescription.ts"

/** A description is in order, and asks for what we do not do. The text is for who publishes. */
export class OfferRefused extends Error {}

/** One medium of an offer. `format` is undefined where we do not take it. */
export interface OfferedMedium {
  readonly section: MediaSection
  readonly mid: string
  readonly format: Format | undefined
}

/** What is needed of an offer to answer it, and to talk with the peer. */
export interface Offer {
  readonly media: ReadonlyArray<OfferedMedium>
  readonly video: Format | undefined
  readonly audio: Format | undefined
  /** Number of the header extension with the number of a packet among all. */
  readonly transportId: number | undefined
  readonly fingerprint: ExpectedFingerprint
}

/** Numbers all packets of a connection, so that the sender learns which arrive when. */
export const transportExtension = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"

const hashes: Readonly<Record<string, string>> = { "sha-256": "sha256", "sha-384": "sha384", "sha-512": "sha512" }

const sends = (section: MediaSection): boolean =>
  section.port !== 0 && !section.attributes.has("recvonly") && !section.attributes.has("inactive")

const fingerprintIn = (section: Section): ExpectedFingerprint | undefined => {
  for (const value of section.attributes.get("fingerprint") ?? []) {
    const match = /^(\S+) ([0-9A-F]{2}(?::[0-9A-F]{2}){31,63})$/i.exec(value)
    const hash = match === null ? undefined : hashes[match[1]!.toLowerCase()]
    if (hash !== undefined) return { hash, value: match![2]!.toUpperCase() }
  }
  return undefined
}

/** The number that a medium has for the extension. */
export const transportIdOf = ({ attributes }: MediaSection): number | undefined => {
  for (const value of attributes.get("extmap") ?? []) {
    const match = /^(\d{1,2})(?:\/\w+)? (\S+)/.exec(value)
    const id = Number(match?.[1])
    if (match?.[2] === transportExtension && id >= 1 && id <= 14) return id
  }
  return undefined
}

const mediaOf = ({ media }: SessionDescription): ReadonlyArray<OfferedMedium> => {
  const taken = new Set<string>()
  return media.map((section) => {
    const mid = valueOf(section, "mid")
    if (mid === undefined || !/^[\w-]{1,32}$/.test(mid)) throw new Malformed("a medium without a name (mid)")
    const find = section.kind === "video" ? h264Of : section.kind === "audio" ? opusOf : undefined
    const isFirst = !taken.has(section.kind) && sends(section)
    const format = isFirst && /^UDP\/TLS\/RTP\/SAVPF?$/.test(section.protocol) ? find?.(section) : undefined
    if (format !== undefined) taken.add(section.kind)
    if (isFirst && section.kind === "video" && format === undefined) {
      throw new OfferRefused("The video has to be offered as H.264")
    }
    if (isFirst && section.kind === "audio" && format === undefined) {
      throw new OfferRefused("The sound has to be offered as Opus")
    }
    return { section, mid, format }
  })
}

/** Reads what a publisher offers. Throws `Malformed`, or `OfferRefused`. */
export const readOffer = (text: string): Offer => {
  const description = readDescription(text)
  const { session } = description
  const media = mediaOf(description)
  const accepted = media.filter(({ format }) => format !== undefined)
  const first = accepted[0]?.section
  if (first === undefined) throw new OfferRefused("The offer sends neither video nor sound")
  for (const { section } of accepted) {
    if (!section.attributes.has("rtcp-mux")) throw new OfferRefused("RTP and RTCP have to share a port (rtcp-mux)")
  }
  const groups = (session.attributes.get("group") ?? []).map((value) => value.split(" "))
  const bundle = groups.find(([semantics]) => semantics === "BUNDLE") ?? []
  if (accepted.length > 1 && !accepted.every(({ mid }) => bundle.includes(mid))) {
    throw new OfferRefused("All media have to share a connection (BUNDLE)")
  }
  const setup = valueOf(first, "setup") ?? valueOf(session, "setup")
  if (setup !== "actpass" && setup !== "active") throw new OfferRefused("The publisher has to open the connection")
  if ((valueOf(first, "ice-ufrag") ?? valueOf(session, "ice-ufrag")) === undefined) {
    throw new Malformed("no ice-ufrag")
  }
  const fingerprint = fingerprintIn(first) ?? fingerprintIn(session)
  if (fingerprint === undefined) throw new Malformed("no fingerprint by SHA-256")
  const formatOf = (kind: string) => accepted.find(({ section }) => section.kind === kind)?.format
  return { media, video: formatOf("video"), audio: formatOf("audio"), transportId: transportIdOf(first), fingerprint }
}
