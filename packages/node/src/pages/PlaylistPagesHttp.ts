import { RouteNotFound } from "@kinora/domain/errors/RequestErrors"
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { ActivityPubResponder } from "./ActivityPubResponder.ts"
import { ClientAssets } from "./ClientAssets.ts"
import { negotiated, pageAnswer, pageResponse } from "./PageAnswer.ts"
import { PageInstance } from "./PageInstance.ts"
import { testEmbedPage } from "./PlainPages.ts"

/** Addresses of playlists. There are none yet, so each says "not found" in the way its place wants it. */
export const PlaylistPageRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const surroundings = { instance: yield* PageInstance, assets: yield* ClientAssets }
    const responder = yield* ActivityPubResponder
    const notFound = pageAnswer(surroundings, Effect.fail(new RouteNotFound()))
    const notFoundInFrame = pageAnswer(surroundings, Effect.fail(new RouteNotFound()), { framed: true })
    const test = pageResponse(surroundings, testEmbedPage(surroundings, "playlist", undefined), { framed: true })

    const playlistRoute = Effect.flatMap(HttpRouter.params, ({ id = "" }) =>
      negotiated(responder.playlist(id), notFound)
    )
    yield* router.add("GET", "/w/p/:id", playlistRoute)
    yield* router.add("GET", "/videos/watch/playlist/:id", playlistRoute)
    yield* router.add("GET", "/video-playlists/embed/:id", notFoundInFrame)
    yield* router.add("GET", "/video-playlists/test-embed", test)
  })
)
