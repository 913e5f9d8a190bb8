import { publicAudience } from "@kinora/federation/activities/Audience"
import { ActorPublications } from "@kinora/storage/federation/outbox/ActorPublications"
import { ActivityWrites } from "@kinora/storage/federation/outbox/ActivityWrites"
import { DateTime, Effect } from "effect"
import { updateActivity } from "../activity/Update.ts"
import { ActivitySender } from "../send/ActivitySender.ts"
import type { ChangeHandler } from "./ChangeHandler.ts"
import { digestOf, objectOf } from "./Objects.ts"

/** Accounts and channels: whoever follows them, or what they publish, gets an Update of what is new. */
export const actorChanges = Effect.gen(function* () {
  const publications = yield* ActorPublications
  const writes = yield* ActivityWrites
  const sender = yield* ActivitySender

  const handle: ChangeHandler = Effect.fn("actorChanges")(function* ({ thingId: actorId }) {
    const actor = yield* publications.of(actorId)
    if (actor === undefined) return
    if (!(yield* writes.hasRemoteFollowers(actor.followed))) return yield* publications.forget(actorId)
    const text = yield* publications.object(actorId)
    const digest = digestOf(text)
    if ((yield* publications.sentDigest(actorId)) === digest) return
    yield* sender.send(
      actorId,
      updateActivity(actor.url, {
        now: yield* DateTime.now,
        object: { ...(yield* objectOf(text)), ...publicAudience([], [actor.followersUrl]) },
        context: "Actor",
        recipients: { followersOf: actor.followed, inboxes: [] }
      })
    )
    yield* publications.remember(actorId, digest)
  })
  return handle
})

/** How videos of a channel are to be played. */
export const channelPlayerSettingsChanges = Effect.gen(function* () {
  const publications = yield* ActorPublications
  const sender = yield* ActivitySender

  const handle: ChangeHandler = Effect.fn("channelPlayerSettingsChanges")(function* ({ thingId: channelId }) {
    const channel = yield* publications.playerSettings(channelId)
    if (channel === undefined) return
    yield* sender.send(
      channel.actorId,
      updateActivity(`${channel.url}/player-settings`, {
        now: yield* DateTime.now,
        object: yield* objectOf(channel.object),
        context: "PlayerSettings",
        recipients: { followersOf: channel.followed, inboxes: [] }
      })
    )
  })
  return handle
})
