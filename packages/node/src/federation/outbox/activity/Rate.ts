import { publicAudience } from "@kinora/federation/activities/Audience"
import type { JsonObject } from "@kinora/federation/vocabulary/Json"
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

/** A rating of a video of ours, as its channel announces it. Others take a known id for a known rating. */
export const announcedRate = (
  rate: {
    readonly type: Rate["type"]
    readonly stamp: number
    readonly videoId: number
    readonly videoUrl: string
    readonly actorUrl: string
  },
  isUndone: boolean
): JsonObject & { readonly id: string } => {
  const { actorUrl, stamp, type, videoId, videoUrl } = rate
  const id = `${actorUrl}/${type}s/${videoId}#${stamp}`
  const said = { type: rateTypes[type], id, actor: actorUrl, object: videoUrl, ...publicAudience() }
  return isUndone ? { type: "Undo", id: `${id}/undo`, actor: actorUrl, object: said, ...publicAudience() } : said
}
