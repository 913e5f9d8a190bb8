import { publicAudience } from "@kinora/federation/activities/Audience"
import { ActorPublications } from "@kinora/storage/federation/outbox/ActorPublications"
import { ActivityWrites } from "@kinora/storage/federation/outbox/ActivityWrites"
import { DateTime, Effect, Schema } from "effect"
import { KinoraConfig } from "../../../platform/config/Config.ts"
import { actorDocument } from "../../activitypub/documents/Actor.ts"
import { playerSettingsDocument } from "../../activitypub/documents/VideoParts.ts"
import { updateActivity } from "../activity/Update.ts"
import { ActivitySender } from "../send/ActivitySender.ts"
import { type ChangeHandler, detailsOf } from "./ChangeHandler.ts"
import { digestOf } from "./Digest.ts"

/** Its counts are due, and nothing else may have changed; other changes say nothing. */
const details = detailsOf(
  Schema.NullOr(Schema.Struct({ after: Schema.optionalKey(Schema.Struct({ recounted: Schema.Literal(true) })) }))
)

/** Accounts and channels: whoever follows them, or what they publish, gets an Update of what is new. */
export const actorChanges = Effect.gen(function* () {
  const publications = yield* ActorPublications
  const writes = yield* ActivityWrites
  const sender = yield* ActivitySender
  const { origin } = (yield* KinoraConfig).derived

  const handle: ChangeHandler = Effect.fn("actorChanges")(function* (change) {
    const isRecounted = (yield* details(change))?.after?.recounted === true
    const actorId = change.thingId
    const actor = yield* publications.of(actorId)
    if (actor === undefined) return
    if (!(yield* writes.hasRemoteFollowers(actor.followed))) return yield* publications.forget(actorId)
    const object = actorDocument(yield* publications.row(actorId), origin)
    const digest = digestOf(JSON.stringify(object))
    // How many follow it stands beside its object.
    if (!isRecounted && (yield* publications.sentDigest(actorId)) === digest) return
    yield* sender.send(
      actorId,
      updateActivity(actor.url, {
        now: yield* DateTime.now,
        object: { ...object, ...publicAudience([], [actor.followersUrl]) },
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
        object: playerSettingsDocument(channel),
        context: "PlayerSettings",
        recipients: { followersOf: channel.followed, inboxes: [] }
      })
    )
  })
  return handle
})
