import { PlaylistNotFound } from "@kinora/domain/errors/PlaylistErrors"
import { parsePlaylistIdOrUuid, type PlaylistIdOrUuid } from "@kinora/domain/ids/PlaylistIdOrUuid"
import { wantsActivity } from "@kinora/federation/negotiation/Accept"
import { PlaylistObjects } from "@kinora/storage/federation/activitypub/PlaylistObjects"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { playlistElementDocument } from "./documents/Playlist.ts"
import { ActivityPubResponder } from "./ActivityPubResponder.ts"
import { activityAnswer, foundResponse, rowId, whenFederating } from "./ActivityAnswer.ts"

const named = (text: string | undefined): Effect.Effect<PlaylistIdOrUuid, PlaylistNotFound> => {
  const id = parsePlaylistIdOrUuid(text ?? "")
  return id === undefined ? Effect.fail(new PlaylistNotFound()) : Effect.succeed(id)
}

/** Playlists by their federated addresses, and their elements. */
export const PlaylistActivityRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const responder = yield* ActivityPubResponder
    const objects = yield* PlaylistObjects
    const federating = yield* whenFederating

    const element = Effect.gen(function* () {
      const params = yield* HttpRouter.params
      const id = yield* named(params["id"])
      const found = yield* objects.element(id, yield* rowId(params["elementId"]))
      return yield* foundResponse("Playlist", found, {
        absent: () => new PlaylistNotFound(),
        encode: playlistElementDocument
      })
    })
    yield* router.add("GET", "/video-playlists/:id/videos/:elementId", activityAnswer(federating(element)))

    yield* router.add("GET", "/video-playlists/:id", (request) =>
      Effect.gen(function* () {
        const { id = "" } = yield* HttpRouter.params
        const response = wantsActivity(request.headers["accept"])
          ? yield* activityAnswer(responder.playlist(id, request.url))
          : HttpServerResponse.redirect(`/w/p/${encodeURIComponent(id)}`, { status: 302 })
        return HttpServerResponse.setHeader(response, "vary", "Accept")
      })
    )
  })
)
