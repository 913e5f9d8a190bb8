import { actorTypes } from "@kinora/federation/objects/ActorObject"
import { Duration, Effect, Layer, Option } from "effect"
import { RemoteLookup } from "../../video/search/RemoteLookup.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RemoteHandles } from "./RemoteHandles.ts"
import { RemoteActors } from "./RemoteActors.ts"
import type { RemoteFailure } from "./RemoteErrors.ts"
import { RemoteObjects } from "./RemoteObjects.ts"
import { RemotePlaylists } from "./RemotePlaylists.ts"
import { RemoteVideos } from "./RemoteVideos.ts"

/** Longest that somebody who searches waits for others. */
const longestLookup = Duration.seconds(25)

const actors: ReadonlySet<unknown> = new Set(actorTypes)

/** Looks others up by address or handle. */
export const remoteLookup = Layer.effect(
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
        Effect.timeoutOrElse({ duration: longestLookup, orElse: () => Effect.succeed(Option.none<string>()) })
      )
    })

    return RemoteLookup.of({ discover })
  })
)
