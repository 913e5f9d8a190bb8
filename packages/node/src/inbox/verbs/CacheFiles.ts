import type { JsonObject } from "@kinora/federation/vocabulary/Json"
import { addressOf, identifierOf, listOf, timeOf } from "@kinora/federation/vocabulary/Reading"
import { isObject } from "@kinora/federation/vocabulary/Json"
import { sameOrigin } from "@kinora/federation/authority/Authority"
import { InboxEffects } from "@kinora/storage/inbox/InboxEffects"
import { InboxTargets } from "@kinora/storage/inbox/InboxTargets"
import type { RemoteActor } from "@kinora/storage/remote/RemoteActorRows"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../config/Config.ts"
import { type Change, change, refuse, type VerbFailure } from "../Verb.ts"

/** The folder a copy is played from: its address, or that of the playlist in it. */
const folderOf = (object: JsonObject): string | null => {
  for (const link of listOf(object["url"])) {
    if (!isObject(link) || link["mediaType"] !== "application/x-mpegURL") continue
    const href = addressOf(link["href"])
    if (href !== null) return href.endsWith(".m3u8") ? href.slice(0, href.lastIndexOf("/")) : href.replace(/\/+$/, "")
  }
  return null
}

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

      const offer = Effect.fnUntraced(function* (sender: RemoteActor, object: JsonObject) {
        if (from === "nobody") return yield* refuse("no copies are taken")
        if (from === "followings" && !(yield* targets.isFollowed(sender.serverId))) {
          return yield* refuse("copies are taken of instances we follow")
        }
        const url = identifierOf(object)
        const folder = folderOf(object)
        const about = identifierOf(object["object"])
        if (url === null || folder === null || about === null) return yield* refuse("it does not say what is where")
        if (!sameOrigin(folder, sender.url)) return yield* refuse("the copy is at another instance")
        const video = yield* targets.video(about)
        if (video === undefined || !video.open) return yield* refuse("no such video")
        return change(
          effects.keepCopy({
            url,
            baseUrl: folder,
            actorId: sender.id,
            videoId: video.id,
            expiresAt: timeOf(object["expires"])
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
