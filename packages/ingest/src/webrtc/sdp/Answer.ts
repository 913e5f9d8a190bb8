import type { Format } from "./Codecs.ts"
import { type Offer, type OfferedMedium, transportExtension, transportIdOf } from "./Offer.ts"

/** What our side of a session is known by. */
export interface LocalSide {
  /** A number that is unique to the session. */
  readonly id: number
  readonly fragment: string
  readonly password: string
  /** SHA-256 of the certificate. */
  readonly fingerprint: string
  /** Addresses at which the peer reaches us, the best one first. */
  readonly addresses: ReadonlyArray<string>
  readonly port: number
}

/** Feedback that we give, where the peer takes it. */
const ours = ["nack", "nack pli", "transport-cc"]

const formatLines = (
  name: string,
  { feedback, parameters, payloadType, repeatType }: Format
): ReadonlyArray<string> => [
  `a=rtpmap:${payloadType} ${name}`,
  `a=fmtp:${payloadType} ${parameters}`,
  ...ours.flatMap((kind) => (feedback.has(kind) ? [`a=rtcp-fb:${payloadType} ${kind}`] : [])),
  ...(repeatType === undefined ? [] : [`a=rtpmap:${repeatType} rtx/90000`, `a=fmtp:${repeatType} apt=${payloadType}`])
]

const names: Readonly<Record<string, string>> = { video: "H264/90000", audio: "opus/48000/2" }

const refusedLines = ({ mid, section }: OfferedMedium): ReadonlyArray<string> => [
  `m=${section.kind} 0 ${section.protocol} ${section.formats[0] ?? "0"}`,
  "c=IN IP4 0.0.0.0",
  `a=mid:${mid}`,
  "a=inactive"
]

const candidates = ({ addresses, port }: LocalSide): ReadonlyArray<string> =>
  addresses.map(
    (address, index) => `a=candidate:${index + 1} 1 udp ${2130706431 - index * 256} ${address} ${port} typ host`
  )

const extensionLines = ({ section }: OfferedMedium, id: number | undefined): ReadonlyArray<string> =>
  id !== undefined && transportIdOf(section) === id ? [`a=extmap:${id} ${transportExtension}`] : []

const mediumLines = (
  offer: Offer,
  medium: OfferedMedium,
  local: LocalSide,
  isFirst: boolean
): ReadonlyArray<string> => {
  const { format, mid, section } = medium
  if (format === undefined) return refusedLines(medium)
  const numbers = [format.payloadType, ...(format.repeatType === undefined ? [] : [format.repeatType])]
  return [
    `m=${section.kind} 9 ${section.protocol} ${numbers.join(" ")}`,
    "c=IN IP4 0.0.0.0",
    `a=mid:${mid}`,
    `a=ice-ufrag:${local.fragment}`,
    `a=ice-pwd:${local.password}`,
    `a=fingerprint:sha-256 ${local.fingerprint}`,
    "a=setup:passive",
    "a=recvonly",
    "a=rtcp-mux",
    ...extensionLines(medium, offer.transportId),
    ...formatLines(names[section.kind]!, format),
    // All media share the connection of the first.
    ...(isFirst ? [...candidates(local), "a=end-of-candidates"] : [])
  ]
}

/** The answer to an offer (RFC 9429, RFC 9725): we receive, and have one port for everything. */
export const writeAnswer = (offer: Offer, local: LocalSide): string => {
  const accepted = offer.media.filter(({ format }) => format !== undefined)
  return [
    "v=0",
    `o=- ${local.id} 1 IN IP4 0.0.0.0`,
    "s=-",
    "t=0 0",
    "a=ice-lite",
    `a=group:BUNDLE ${accepted.map(({ mid }) => mid).join(" ")}`,
    ...offer.media.flatMap((medium) => mediumLines(offer, medium, local, medium === accepted[0])),
    ""
  ].join("\r\n")
}
