import { decodeCacheFile } from "@kinora/federation/objects/CacheFileObject"
import type { JsonObject } from "@kinora/federation/vocabulary/Json"
import { sameOrigin } from "@kinora/federation/authority/Authority"
import { InboxEffects } from "@kinora/storage/federation/inbox/InboxEffects"
import { InboxTargets } from "@kinora/storage/federation/inbox/InboxTargets"
import type { RemoteActor } from "@kinora/storage/federation/remote/RemoteActorRows"
import { Context, Effect, Layer, Result } from "effect"
import { KinoraConfig } from "../../../platform/config/Config.ts"
import { type Change, change, refuse, type VerbFailure } from "./Verb.ts"

/** The folder a copy is played from, by the address of its playlist, or the folder itself. */
const folderOf = (playlistUrl: string): string =>
  playlistUrl.endsWith(".m3u8") ? playlistUrl.slice(0, playlistUrl.lastIndexOf("/")) : playlistUrl.replace(/\/+$/, "")

/** Copies of videos that other instances keep, and offer to those who play them (contract: CacheFile). */
export class CacheFiles extends Context.Service<
  CacheFiles,
  {
    /** A copy is offered, or for longer. Where `remote_redundancy.videos.accept_from` lets the instance. */
    readonly offer: (sender: RemoteActor, object: JsonObject) => Effect.Effect<Change, VerbFailure>
    readonly removal: (sender: RemoteActor, url: string) => Effect.Effect<Change, VerbFailure>
  }
>()("@kinora/node/inbox/verbs/CacheFiles") {
  static readonly layer = Layer.effect(
    CacheFiles,
    Effect.gen(function* () {
      const { remote_redundancy } = yield* KinoraConfig
      const targets = yield* InboxTargets
      const effects = yield* InboxEffects
      const from = remote_redundancy.videos.accept_from

      const whyUnwelcome = Effect.fnUntraced(function* (sender: RemoteActor) {
        if (from === "anybody") return undefined
        if (from === "nobody") return "no copies are taken"
        return (yield* targets.isFollowedByInstance(sender.serverId))
          ? undefined
          : "copies are taken of instances we follow"
      })

      const offer = Effect.fnUntraced(function* (sender: RemoteActor, object: JsonObject) {
        const decoded = decodeCacheFile(object)
        if (Result.isFailure(decoded)) return yield* refuse(decoded.failure.why)
        const unwelcome = yield* whyUnwelcome(sender)
        if (unwelcome !== undefined) {
          // It may have been taken before, under another setting or while the instance was followed.
          yield* effects.forgetCopy(decoded.success.id, sender.id)
          return yield* refuse(unwelcome)
        }
        const { expires, id, playlistUrl, video: about } = decoded.success
        if (!sameOrigin(playlistUrl, sender.url)) return yield* refuse("the copy is at another instance")
        const video = yield* targets.video(about)
        if (video === undefined || !video.open) return yield* refuse("no such video")
        return change(
          effects.keepCopy({
            url: id,
            baseUrl: folderOf(playlistUrl),
            actorId: sender.id,
            videoId: video.id,
            expiresAt: expires
          })
        )
      })

      return CacheFiles.of({
        offer,
        removal: (sender, url) => Effect.succeed(change(effects.forgetCopy(url, sender.id)))
      })
    })
  )
}
