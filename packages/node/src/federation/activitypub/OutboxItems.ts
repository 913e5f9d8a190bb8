import { publicAudience } from "@kinora/federation/activities/Audience"
import type { ActorKind } from "@kinora/storage/federation/activitypub/ActorObjects"
import type { OutboxFound } from "@kinora/storage/federation/activitypub/ActorOutboxes"
import { Effect } from "effect"
import { announceDocument } from "./documents/Activities.ts"
import { createdVideoText, makeVideoTexts } from "./VideoTexts.ts"

/** JSON texts of the activities in an outbox: accounts create videos, channels and the instance announce them. */
export const makeOutboxItems = Effect.gen(function* () {
  const texts = yield* makeVideoTexts

  return Effect.fnUntraced(function* ({ actorId, actorUrl, videos }: OutboxFound, kind: ActorKind | "instance") {
    if (kind !== "account") {
      return videos.map(({ ownerUrl, url }) =>
        JSON.stringify(announceDocument({ videoUrl: url, ownerUrl, actorId, actorUrl }))
      )
    }
    const objects = yield* texts.many(videos)
    const audience = publicAudience([], [`${actorUrl}/followers`])
    return videos.flatMap(({ id, url }) => {
      const object = objects.get(id)
      return object === undefined ? [] : [createdVideoText({ url, accountUrl: actorUrl }, audience, object)]
    })
  })
})
