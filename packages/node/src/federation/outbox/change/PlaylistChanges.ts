import { publicAudience } from "@kinora/federation/activities/Audience"
import { ActivityWrites } from "@kinora/storage/federation/outbox/ActivityWrites"
import { PlaylistPublications } from "@kinora/storage/federation/outbox/PlaylistPublications"
import { DateTime, Effect, Schema } from "effect"
import { KinoraConfig } from "../../../platform/config/Config.ts"
import { playlistDocument } from "../../activitypub/documents/Playlist.ts"
import { createActivity } from "../activity/Create.ts"
import { deleteActivity } from "../activity/Delete.ts"
import { numbered } from "../activity/Numbered.ts"
import { updateActivity } from "../activity/Update.ts"
import { ActivitySender } from "../send/ActivitySender.ts"
import { type ChangeHandler, detailsOf } from "./ChangeHandler.ts"
import { digestOf } from "./Digest.ts"
import { SenderLeft, senderOf } from "./SenderLeft.ts"

const details = detailsOf(
  Schema.Struct({
    before: Schema.Struct({ public: Schema.Boolean }),
    after: Schema.optionalKey(
      Schema.Struct({
        deletedUrl: Schema.String,
        senderId: Schema.Int,
        followed: Schema.Array(Schema.Int),
        announced: Schema.NullOr(Schema.Boolean),
        times: Schema.Int
      })
    ),
    sender: SenderLeft
  })
)

/** Playlists: public ones are published with what is in them. What was public without being sent may be known all the same. */
export const playlistChanges = Effect.gen(function* () {
  const publications = yield* PlaylistPublications
  const writes = yield* ActivityWrites
  const sender = yield* ActivitySender
  const senderNow = senderOf(writes)
  const { origin } = (yield* KinoraConfig).derived

  /** A Delete to everybody whose followers have the playlist. */
  const deletion = Effect.fnUntraced(function* (url: string, times: number, followed: ReadonlyArray<number>) {
    return deleteActivity(url, {
      uri: numbered(`${url}/delete`, times),
      audience: publicAudience(yield* writes.followersUrls(followed)),
      recipients: { followersOf: followed, inboxes: [] }
    })
  })

  const handle: ChangeHandler = Effect.fn("playlistChanges")(function* (change) {
    const { after: gone, before, sender: left } = yield* details(change)
    if (gone !== undefined) {
      const owner = yield* senderNow(gone.senderId, left)
      if (owner === undefined || !(gone.announced ?? before.public)) return
      return yield* sender.sendAs(owner, yield* deletion(gone.deletedUrl, gone.times, gone.followed))
    }
    const playlistId = change.thingId
    const playlist = yield* publications.of(playlistId)
    if (playlist === undefined) return
    const { ownerActorId, sent, url } = playlist
    const followed = [...playlist.followed, ...(sent?.known ?? [])]
    if (!(yield* writes.hasRemoteFollowers(followed))) return yield* publications.forget(playlistId)
    const isKnown = sent?.announced ?? before.public
    if (!playlist.isPublic) {
      if (isKnown) yield* sender.send(ownerActorId, yield* deletion(url, sent?.times ?? 1, followed))
      return yield* publications.withdraw(playlistId)
    }
    const row = yield* publications.row(playlistId)
    const object = playlistDocument(row, origin)
    const { updated: _, ...compared } = object
    const digest = digestOf(JSON.stringify(compared), row.elements)
    const rest = { object, context: "Playlist", recipients: { followersOf: followed, inboxes: [] } } as const
    if (!isKnown) {
      yield* sender.send(ownerActorId, createActivity(numbered(`${url}/activity`, (sent?.times ?? 0) + 1), rest))
    } else if (sent?.digest !== digest) {
      yield* sender.send(ownerActorId, updateActivity(url, { ...rest, now: yield* DateTime.now }))
    }
    yield* publications.remember(playlistId, followed, digest)
  })
  return handle
})
