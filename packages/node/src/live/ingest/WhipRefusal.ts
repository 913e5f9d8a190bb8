import {
  AlreadyPublishing,
  LiveNotEnabled,
  OfferMalformed,
  OfferNotTaken,
  PublishingRefused,
  PublishingUnavailable,
  StreamKeyUnknown
} from "@kinora/domain/errors/LiveErrors"
import { RateLimited } from "@kinora/domain/errors/RequestErrors"
import { Schema } from "effect"
import type { WhipRefused } from "./WhipDoor.ts"

/** Why a publisher by WebRTC is refused, as nodes send it each other. */
export const WhipRefusal = Schema.Struct({
  tag: Schema.Literals([
    "LiveNotEnabled",
    "StreamKeyUnknown",
    "RateLimited",
    "AlreadyPublishing",
    "PublishingRefused",
    "PublishingUnavailable",
    "OfferMalformed",
    "OfferNotTaken"
  ]),
  reason: Schema.String,
  retryAfterSeconds: Schema.Int
})
export type WhipRefusal = typeof WhipRefusal.Type

/** The refusal for another node. */
export const wireRefusal = (error: WhipRefused): WhipRefusal => ({
  tag: error._tag,
  reason: "reason" in error ? error.reason : "",
  retryAfterSeconds: "retryAfterSeconds" in error ? error.retryAfterSeconds : 0
})

/** The refusal of another node. */
export const refusalOf = ({ reason, retryAfterSeconds, tag }: WhipRefusal): WhipRefused => {
  switch (tag) {
    case "LiveNotEnabled":
      return new LiveNotEnabled()
    case "StreamKeyUnknown":
      return new StreamKeyUnknown()
    case "RateLimited":
      return new RateLimited({ retryAfterSeconds })
    case "AlreadyPublishing":
      return new AlreadyPublishing()
    case "PublishingRefused":
      return new PublishingRefused({ reason })
    case "PublishingUnavailable":
      return new PublishingUnavailable()
    case "OfferMalformed":
      return new OfferMalformed({ reason })
    case "OfferNotTaken":
      return new OfferNotTaken({ reason })
  }
}
