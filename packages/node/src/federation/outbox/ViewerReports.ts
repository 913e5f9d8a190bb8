import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { publicAudience } from "@kinora/federation/activities/Audience"
import { publicCollection } from "@kinora/federation/vocabulary/Terms"
import { ActivityWrites } from "@kinora/storage/federation/outbox/ActivityWrites"
import { Viewers } from "@kinora/storage/federation/outbox/Viewers"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { viewersActivity } from "./activity/View.ts"
import type { ActivityDraft } from "./send/ActivityDraft.ts"
import { ActivitySender } from "./send/ActivitySender.ts"

/** What is said holds for so long; it is said again each minute. */
const lasts = Duration.seconds(150)
/** Deliveries of one round, and things it looks at. */
const mostDeliveries = 20_000
const mostVideos = 200
const mostElsewhere = 1_000

/**
 * Who watches now: how many a video of ours has is sent to who follows it, and each viewer of a video elsewhere, by a hash
 * that says nothing of who that is, to its instance.
 */
export class ViewerReports extends Context.Service<
  ViewerReports,
  {
    /** Sends those who reported within so many seconds; answers how many deliveries that makes. */
    readonly send: (withinSeconds: number) => Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/node/outbox/ViewerReports") {
  static readonly layer = Layer.effect(
    ViewerReports,
    Effect.gen(function* () {
      const viewers = yield* Viewers
      const writes = yield* ActivityWrites
      const sender = yield* ActivitySender

      const report = Effect.fnUntraced(function* (withinSeconds: number) {
        const instanceId = yield* viewers.instanceActorId
        const instance = instanceId === undefined ? undefined : yield* writes.sender(instanceId)
        if (instance === undefined || instanceId === undefined) return 0
        const expires = DateTime.formatIso(DateTime.addDuration(yield* DateTime.now, lasts))
        let deliveries = 0
        /** In place of what was said before and is not sent yet. */
        const send = Effect.fnUntraced(function* (draft: ActivityDraft) {
          yield* viewers.retract(draft.uri)
          deliveries += yield* sender.sendAs(instance, draft)
        })
        for (const video of yield* viewers.ofOurs(mostVideos)) {
          if (deliveries >= mostDeliveries) return deliveries
          const followersOf = [video.channelActorId, instanceId]
          const to = yield* writes.followersUrls(followersOf)
          yield* send(
            viewersActivity(`${instance.url}/views/videos/${video.id}/${video.uuid}`, {
              videoUrl: video.url,
              expires,
              viewers: video.viewers,
              audience: { to: video.isPublic ? [publicCollection, ...to] : to, cc: [] },
              recipients: { followersOf, inboxes: [] }
            })
          )
        }
        for (const { inbox, ownerUrl, videoId, videoUrl, videoUuid, viewer } of yield* viewers.elsewhere(
          withinSeconds,
          mostElsewhere
        )) {
          if (deliveries >= mostDeliveries) return deliveries
          yield* send(
            viewersActivity(`${instance.url}/views/videos/${videoId}/${viewer}-${videoUuid}`, {
              videoUrl,
              expires,
              audience: publicAudience([ownerUrl]),
              recipients: { followersOf: [], inboxes: [inbox] }
            })
          )
        }
        return deliveries
      })

      return ViewerReports.of({
        send: Effect.fn("ViewerReports.send")(function* (withinSeconds: number) {
          return (yield* viewers.inTurn(report(withinSeconds))) ?? 0
        })
      })
    })
  )
}
