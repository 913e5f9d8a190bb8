import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { actorTypes } from "@kinora/federation/vocabulary/ActorObject"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RemoteHandles } from "../../federation/follow/RemoteHandles.ts"
import { RemoteActors } from "../../federation/remote/RemoteActors.ts"
import type { RemoteFailure } from "../../federation/remote/RemoteErrors.ts"
import { RemoteObjects } from "../../federation/remote/RemoteObjects.ts"
import { RemotePlaylists } from "../../federation/remote/RemotePlaylists.ts"
import { RemoteVideos } from "../../federation/remote/RemoteVideos.ts"

/** Longest that somebody who searches waits for others. */
const patience = Duration.seconds(25)

const actors: ReadonlySet<unknown> = new Set(actorTypes)

/**
 * Makes known what is at an address or has a handle elsewhere, where that can be done: afterwards it is found by its
 * address like everything that is known. Asked only on behalf of who may (`search.remote_uri`).
 */
export class RemoteLookup extends Context.Service<
  RemoteLookup,
  {
    /**
     * The address it has at home; none when nothing was found, for whatever reason: which hosts and ports answer is not for
     * who searches to learn.
     *
     * @param address an http or https address, or `name@host`
     */
    readonly discover: (address: string) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
  }
>()("@kinora/node/search/RemoteLookup") {
  static readonly layer = Layer.effect(
    RemoteLookup,
    Effect.gen(function* () {
      const { federation } = yield* KinoraConfig
      const handles = yield* RemoteHandles
      const objects = yield* RemoteObjects
      const remoteActors = yield* RemoteActors
      const playlists = yield* RemotePlaylists
      const videos = yield* RemoteVideos

      const atUrl = Effect.fnUntraced(function* (url: string): Effect.fn.Return<Option.Option<string>, RemoteFailure> {
        const object = yield* objects.fetch(url, { types: [...actorTypes, "Video", "Playlist"] })
        if (object["type"] === "Video") yield* videos.upsert(object)
        else if (object["type"] === "Playlist") yield* playlists.upsert(object)
        else if (actors.has(object["type"])) yield* remoteActors.byUrl(object.id)
        return Option.some(object.id)
      })

      const byHandle = (name: string, host: string) =>
        Effect.map(handles.byHandle(name, host), ({ url }) => Option.some(url))

      const discover = Effect.fn("RemoteLookup.discover")(function* (address: string) {
        if (!federation.enabled) return Option.none<string>()
        const at = address.lastIndexOf("@")
        const found = /^https?:/i.test(address) ? atUrl(address) : byHandle(address.slice(0, at), address.slice(at + 1))
        return yield* found.pipe(
          Effect.catchTag(["ObjectRefused", "ObjectUnavailable"], ({ message }) =>
            Effect.as(Effect.logDebug(`Nothing found: ${message}`), Option.none<string>())
          ),
          Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed(Option.none<string>()) })
        )
      })

      return RemoteLookup.of({ discover })
    })
  )
}
