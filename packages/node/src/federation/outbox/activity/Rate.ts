import { publicAudience } from "@kinora/federation/activities/Audience"
import type { RatingParty } from "@kinora/storage/federation/outbox/RatingParties"
import { type ActivityDraft, lanes } from "../send/ActivityDraft.ts"

/** A rating as it is sent. */
export interface Rate {
  readonly type: "like" | "dislike"
  readonly url: string
}

const rateTypes = { like: "Like", dislike: "Dislike" } as const

/** To whom a rating is addressed: everybody, the owner of the video, and the followers of who rates. */
const audienceOf = ({ actorUrl, ownerUrl }: RatingParty) => publicAudience([ownerUrl], [`${actorUrl}/followers`])

/** What a rating and its end have in common: the instance of the video counts both, in their order. */
const rating = (party: RatingParty) => ({
  audience: audienceOf(party),
  lane: lanes.rating,
  thing: `${party.actorUrl} ${party.videoUrl}`,
  recipients: { followersOf: [], inboxes: [party.inbox] }
})

/** A Like or a Dislike of a video elsewhere. */
export const rateActivity = (rate: Rate, party: RatingParty): ActivityDraft => ({
  type: rateTypes[rate.type],
  uri: rate.url,
  object: party.videoUrl,
  ...rating(party)
})

/** The end of a rating. */
export const undoRateActivity = (rate: Rate, party: RatingParty): ActivityDraft => ({
  type: "Undo",
  uri: `${rate.url}/undo`,
  object: {
    type: rateTypes[rate.type],
    id: rate.url,
    actor: party.actorUrl,
    object: party.videoUrl,
    ...audienceOf(party)
  },
  ...rating(party)
})
