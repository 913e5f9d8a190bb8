import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { AbuseEventRows } from "@kinora/storage/social/notification/AbuseEventRows"
import { CommentEventRows } from "@kinora/storage/social/notification/CommentEventRows"
import { FollowEventRows } from "@kinora/storage/social/notification/FollowEventRows"
import { NotificationQueue } from "@kinora/storage/social/notification/NotificationQueue"
import { type NotificationWays, NotificationWrites } from "@kinora/storage/social/notification/NotificationWrites"
import { PeopleEventRows } from "@kinora/storage/social/notification/PeopleEventRows"
import { VideoEventRows } from "@kinora/storage/social/notification/VideoEventRows"
import { Context, Effect, Layer } from "effect"
import { collaborationChanged } from "./event/CollaborationChanged.ts"
import type { EventHandler } from "./event/EventHandler.ts"
import { autoInstanceFollowing, newFollow, newInstanceFollower } from "./event/Follows.ts"
import { importFinished } from "./event/ImportFinished.ts"
import { myVideoPublished, videoReady } from "./event/MyVideoPublished.ts"
import { newComment } from "./event/NewComment.ts"
import { ownershipChanged } from "./event/OwnershipChanged.ts"
import { abuseStateChanged, newAbuse, newAbuseMessage } from "./event/Reports.ts"
import { registrationRequested, userRegistered } from "./event/Registrations.ts"
import { videoBlocked, videoUnblocked } from "./event/VideoBlocks.ts"
import { videoPublished } from "./event/VideoPublished.ts"

const make = Effect.gen(function* () {
  const queue = yield* NotificationQueue
  const writes = yield* NotificationWrites
  const handlers: Readonly<Record<string, EventHandler>> = {
    AbuseStateChanged: yield* abuseStateChanged,
    AutoInstanceFollowing: yield* autoInstanceFollowing,
    CollaborationChanged: yield* collaborationChanged,
    ImportFinished: yield* importFinished,
    MyVideoPublished: yield* myVideoPublished,
    NewAbuse: yield* newAbuse,
    NewAbuseMessage: yield* newAbuseMessage,
    NewComment: yield* newComment,
    NewFollow: yield* newFollow,
    NewInstanceFollower: yield* newInstanceFollower,
    OwnershipChanged: yield* ownershipChanged,
    Registration: yield* registrationRequested,
    UserRegistered: yield* userRegistered,
    VideoBlocked: yield* videoBlocked,
    VideoPublished: yield* videoPublished,
    VideoReady: yield* videoReady,
    VideoUnblocked: yield* videoUnblocked
  }

  // A newer version of the program may record what this one does not know: it waits for that.
  const unknown: EventHandler = ({ tag }) => Effect.die(new Error(`the tag "${tag}" of an event is unknown`))

  const step = (ways: NotificationWays) =>
    queue.next(
      Effect.fnUntraced(function* (event) {
        const { drafts, nextPosition } = yield* (handlers[event.tag] ?? unknown)(event)
        for (const draft of drafts) yield* writes.write(event.id, draft, ways)
        return nextPosition === undefined ? { _tag: "Done" } : { _tag: "After", position: nextPosition }
      })
    )
  return NotificationFanOut.of({ step })
})

/**
 * Makes notifications of what happens. Triggers and services record it in the transaction of the change; here is decided what
 * of it is news and who is notified, a step at a time (docs/decisions/notifications.md).
 */
export class NotificationFanOut extends Context.Service<
  NotificationFanOut,
  {
    /** Processes one event, or notifies its next thousand recipients. False: there is nothing to do. */
    readonly step: (ways: NotificationWays) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/node/notifications/NotificationFanOut") {
  static readonly layer = Layer.effect(NotificationFanOut, make).pipe(
    Layer.provide(
      Layer.mergeAll(
        NotificationQueue.layer,
        NotificationWrites.layer,
        AbuseEventRows.layer,
        VideoEventRows.layer,
        CommentEventRows.layer,
        FollowEventRows.layer,
        PeopleEventRows.layer
      )
    )
  )
}
