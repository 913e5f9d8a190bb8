import { sameOrigin } from "@kinora/federation/authority/Authority"
import type { JsonObject } from "@kinora/federation/vocabulary/Json"
import { noteTypes } from "@kinora/federation/objects/NoteObject"
import { identifierOf } from "@kinora/federation/vocabulary/Reading"
import { channelPlayerThemes, videoPlayerThemes } from "@kinora/domain/enums/PlayerTheme"
import { InboxEffects } from "@kinora/storage/federation/inbox/InboxEffects"
import { InboxTargets } from "@kinora/storage/federation/inbox/InboxTargets"
import type { RemoteActor } from "@kinora/storage/federation/remote/RemoteActorRows"
import { Context, Effect, Layer } from "effect"
import { RemoteActors } from "../../remote/RemoteActors.ts"
import { RemoteComments } from "../../remote/RemoteComments.ts"
import { RemoteObjects } from "../../remote/RemoteObjects.ts"
import { RemotePlaylists } from "../../remote/RemotePlaylists.ts"
import { RemoteVideos } from "../../remote/RemoteVideos.ts"
import { type Change, change, fetched, nothing, refuse, type VerbFailure } from "./Verb.ts"
import { CacheFiles } from "./CacheFiles.ts"

const actorTypes: ReadonlySet<unknown> = new Set(["Person", "Group", "Application", "Service", "Organization"])

/** Whether an object of this type is a comment where it replies to a video. */
export const isNote = (type: unknown): boolean => noteTypes.some((it) => it === type)

/** What an object that may be believed comes to. The sender has sent it, or has its origin speak for it. */
export class Objects extends Context.Service<
  Objects,
  {
    /** Keeps it, by its type, as it is said to be now. Types we keep nothing of come to nothing. */
    readonly keep: (object: JsonObject, sender: RemoteActor) => Effect.Effect<Change, VerbFailure>
    /** Asks the origin of an object for it and keeps what it says. */
    readonly fetchAndKeep: (url: string, sender: RemoteActor) => Effect.Effect<Change, VerbFailure>
  }
>()("@kinora/node/inbox/verbs/Objects") {
  static readonly layer = Layer.effect(
    Objects,
    Effect.gen(function* () {
      const actors = yield* RemoteActors
      const videos = yield* RemoteVideos
      const comments = yield* RemoteComments
      const playlists = yield* RemotePlaylists
      const objects = yield* RemoteObjects
      const cacheFiles = yield* CacheFiles
      const targets = yield* InboxTargets
      const effects = yield* InboxEffects

      /** How a video or a channel of theirs is to be played (contract: PlayerSettings). */
      const playerSettings = Effect.fnUntraced(function* (object: JsonObject, sender: RemoteActor) {
        const about = identifierOf(object["object"]) ?? ""
        const { theme } = object
        const video = yield* targets.video(about)
        if (video !== undefined) {
          const known = videoPlayerThemes.find((it) => it === theme)
          const theirs = video.remote && [video.accountActorId, video.channelActorId].includes(sender.id)
          if (!theirs || known === undefined) return yield* refuse("no look of a video of the sender's")
          return change(effects.videoTheme(video.id, known))
        }
        if (!sameOrigin(about, sender.url)) return yield* refuse("no look of a channel of the sender's")
        const channel = yield* fetched(actors.byUrl(about))
        const known = channelPlayerThemes.find((it) => it === theme)
        const { channelId } = channel
        const notTheirs = refuse("no look of a channel of the sender's")
        if (channelId === null || known === undefined) return yield* notTheirs
        return change(
          Effect.flatMap(effects.channelTheme(channelId, sender.id, known), (done) => (done ? Effect.void : notTheirs))
        )
      })

      const keep = Effect.fnUntraced(function* (object: JsonObject, sender: RemoteActor) {
        const { type } = object
        switch (type) {
          case "Video":
            yield* fetched(videos.upsert(object, sender))
            return nothing
          case "Playlist":
            yield* fetched(playlists.upsert(object))
            return nothing
          case "CacheFile":
            return yield* cacheFiles.offer(sender, object)
          case "PlayerSettings":
            return yield* playerSettings(object, sender)
          default:
            if (isNote(type)) {
              yield* fetched(comments.upsert(object))
              return nothing
            }
            if (!actorTypes.has(type)) return nothing
            yield* fetched(actors.applyUpdate(object))
            return nothing
        }
      })

      const fetchAndKeep = Effect.fnUntraced(function* (url: string, sender: RemoteActor) {
        const object = yield* fetched(objects.fetch(url, { types: [] }))
        // Nobody has us ask others by an address that leads to them (corpus AP-24).
        if (!sameOrigin(object.id, url)) return yield* refuse("its address leads to another origin")
        return yield* keep(object, sender)
      })

      return Objects.of({ keep, fetchAndKeep })
    })
  )
}
