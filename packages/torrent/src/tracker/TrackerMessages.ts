import { type Option, Schema } from "effect"
import { isBytes } from "./TrackerQuery.ts"
import { longestDescription, offersPerAnnounce, torrentsPerScrape } from "./TrackerLimits.ts"

/** Twenty bytes in JSON: one character (U+0000 to U+00FF) each. */
const Bytes20 = Schema.String.check(Schema.makeFilter((text: string) => text.length === 20 && isBytes(text)))

const Description = Schema.Struct({
  type: Schema.Literals(["offer", "answer"]),
  sdp: Schema.String.check(Schema.isMaxLength(longestDescription))
})
const OfferId = Schema.String.check(Schema.isMaxLength(64))
const Offer = Schema.Struct({ offer: Description, offer_id: OfferId })

const Announce = Schema.Struct({
  action: Schema.Literal("announce"),
  info_hash: Bytes20,
  peer_id: Bytes20,
  event: Schema.optional(Schema.NullOr(Schema.Literals(["started", "stopped", "completed", "update", "paused", ""]))),
  left: Schema.optional(Schema.Unknown),
  offers: Schema.optional(Schema.NullOr(Schema.Array(Offer).check(Schema.isMaxLength(offersPerAnnounce)))),
  answer: Schema.optional(Schema.NullOr(Description)),
  to_peer_id: Schema.optional(Schema.NullOr(Bytes20)),
  offer_id: Schema.optional(Schema.NullOr(OfferId))
})

const Scrape = Schema.Struct({
  action: Schema.Literal("scrape"),
  info_hash: Schema.Union([
    Bytes20,
    Schema.Array(Bytes20).check(Schema.isMinLength(1), Schema.isMaxLength(torrentsPerScrape))
  ])
})

export type SocketAnnounce = typeof Announce.Type

/** A message of a browser to the tracker (WebTorrent's protocol). Unknown fields are dropped. */
export type SocketMessage = SocketAnnounce | typeof Scrape.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Union([Announce, Scrape])))

/** The message in a frame. None if it is invalid or too large. */
export const readMessage = (frame: string): Option.Option<SocketMessage> => decode(frame)

const hex = (bytes: string): string => Buffer.from(bytes, "latin1").toString("hex")

/** The info hash as 40 hexadecimal digits. */
export const hashOf = (bytes: string): string => hex(bytes)
export const bytesOf = (infoHash: string): string => Buffer.from(infoHash, "hex").toString("latin1")

const whole = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined

/** Whether it answers an offer. */
export const isAnswer = ({ answer }: SocketAnnounce): boolean => answer !== null && answer !== undefined

/** The announce for the tracker library, with only validated fields. */
export const cleanAnnounce = (message: SocketAnnounce): string => {
  const answers = isAnswer(message) && typeof message.to_peer_id === "string"
  return JSON.stringify({
    action: "announce",
    info_hash: message.info_hash,
    peer_id: message.peer_id,
    event: message.event === "" ? undefined : (message.event ?? undefined),
    left: whole(message.left),
    offers: answers ? undefined : (message.offers ?? undefined),
    answer: answers ? message.answer : undefined,
    to_peer_id: answers ? message.to_peer_id : undefined,
    offer_id: message.offer_id ?? undefined
  })
}
