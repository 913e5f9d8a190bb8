import { NotificationType } from "@kinora/domain/enums/NotificationType"
import { OwnershipState } from "@kinora/domain/enums/OwnershipState"
import { PeopleEventRows } from "@kinora/storage/social/notification/PeopleEventRows"
import { Effect } from "effect"
import { type EventHandler, forUser, noNews, stateOf } from "./EventHandler.ts"

const { accepted, rejected, pending } = OwnershipState
const stateOfChange = stateOf([pending, rejected, accepted])

const typesOfVideos = {
  [pending]: NotificationType.videoOwnershipRequest,
  [rejected]: NotificationType.videoOwnershipRejected,
  [accepted]: NotificationType.videoOwnershipAccepted
} as const
const typesOfChannels = {
  [pending]: NotificationType.channelOwnershipRequest,
  [rejected]: NotificationType.channelOwnershipRejected,
  [accepted]: NotificationType.channelOwnershipAccepted
} as const

/** Somebody was asked to take over a video or a channel, and is notified; or has answered, and who asked is. */
export const ownershipChanged = Effect.gen(function* () {
  const people = yield* PeopleEventRows
  const handle: EventHandler = Effect.fn("ownershipChanged")(function* (event) {
    const state = yield* stateOfChange(event)
    const parties = yield* people.ownership(event.subject)
    // Not as it was: there is an event of that, too.
    if (parties?.state !== state) return noNews
    const { asked, asking, videoId } = parties
    const [by, recipient] = state === pending ? [asking, asked] : [asked, asking]
    return forUser(recipient.userId, {
      type: (videoId === null ? typesOfChannels : typesOfVideos)[state],
      by: by.accountId,
      subject: { ownership_change_id: event.subject, video_id: videoId }
    })
  })
  return handle
})
