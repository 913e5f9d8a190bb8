import { publicAudience } from "@kinora/federation/activities/Audience"
import { watchAction } from "@kinora/federation/activities/WatchAction"
import { VideoOrigins } from "@kinora/storage/federation/outbox/VideoOrigins"
import { Effect, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { KinoraConfig } from "../../../platform/config/Config.ts"
import { viewActivity } from "../activity/View.ts"
import { lanes } from "../send/ActivityDraft.ts"
import { ActivitySender } from "../send/ActivitySender.ts"
import { type ChangeHandler, detailsOf } from "./ChangeHandler.ts"

/** While a host does not answer there is no point in collecting more for it. */
const mostWaiting = 100

const viewDetails = detailsOf(Schema.Struct({ after: Schema.Struct({ views: Schema.Int }) }))

const viewingDetails = detailsOf(
  Schema.Struct({
    after: Schema.Struct({
      startedAt: Schema.String,
      endedAt: Schema.String,
      seconds: Schema.Int,
      sections: Schema.Array(Schema.Tuple([Schema.Int, Schema.Int]))
    })
  })
)

/** Views of videos elsewhere: one activity each, as that is how they are counted there. */
export const viewChanges = Effect.gen(function* () {
  const origins = yield* VideoOrigins
  const sender = yield* ActivitySender

  const handle: ChangeHandler = Effect.fn("viewChanges")(function* (change) {
    const { views } = (yield* viewDetails(change)).after
    const video = yield* origins.of(change.thingId)
    if (video === undefined) return
    const sent = Math.min(views, mostWaiting - video.waitingViews)
    for (let nth = 0; nth < sent; nth++) {
      const uri = `${video.instanceUrl}/views/videos/${change.thingId}/${randomUUID()}`
      yield* sender.send(video.instanceActorId, viewActivity(uri, video))
    }
  })
  return handle
})

/** What somebody watched of a video elsewhere, once they have left. */
export const viewingChanges = Effect.gen(function* () {
  const origins = yield* VideoOrigins
  const sender = yield* ActivitySender
  const { origin } = (yield* KinoraConfig).derived

  const handle: ChangeHandler = Effect.fn("viewingChanges")(function* (change) {
    const { after } = yield* viewingDetails(change)
    const video = yield* origins.of(change.thingId)
    if (video === undefined || video.waitingViews >= mostWaiting) return
    const uuid = randomUUID()
    const id = `${origin}/videos/local-viewer/${uuid}`
    yield* sender.send(video.instanceActorId, {
      type: "Create",
      uri: `${id}/activity`,
      object: watchAction({ ...after, id, uuid, videoUrl: video.url }),
      audience: publicAudience([video.ownerUrl]),
      context: "WatchAction",
      lane: lanes.view,
      recipients: { followersOf: [], inboxes: [video.inbox] }
    })
  })
  return handle
})
