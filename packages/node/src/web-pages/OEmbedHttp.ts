import { AccountNotFound } from "@kinora/domain/errors/ActorErrors"
import { NotImplemented } from "@kinora/domain/errors/RequestErrors"
import { VideoForbidden, VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answer } from "../platform/http/Answer.ts"
import { decodeOEmbed, oembedOf, oembedOfPlaylist } from "./OEmbed.ts"
import { PageInstance } from "./PageInstance.ts"
import { PageActors, parseHandle } from "./PageActors.ts"
import { PagePlaylists } from "./PagePlaylists.ts"
import { PageVideos } from "./PageVideos.ts"
import { showing } from "./Visibility.ts"

/**
 * `GET /services/oembed` (contract: oembed): 400 for other URLs, 404, 403 for locked videos, 501 for XML; and `GET
 * /services/redirect/accounts/{accountName}`, to the account's own page.
 */
export const OEmbedRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const instance = yield* PageInstance
    const videos = yield* PageVideos
    const playlists = yield* PagePlaylists
    const actors = yield* PageActors
    const ownHost = new URL(instance.origin).host

    const respond = Effect.fn("OEmbed.respond")(function* () {
      const request = yield* decodeOEmbed(yield* HttpServerRequest.ParsedSearchParams, instance.origin)
      if (request.format === "xml") return yield* new NotImplemented({ what: "oEmbed as XML" })
      const { named } = request
      if (named._tag === "Playlist") return oembedOfPlaylist(yield* playlists.byId(named.id), request, instance)
      const { details, facts } = yield* videos.byId(named.id)
      const shown = yield* showing(facts, named.id)
      if (shown === "pending") return yield* new VideoNotFound()
      if (shown === "locked") return yield* new VideoForbidden()
      return oembedOf(details, named.start, request, instance)
    })

    const redirect = Effect.fn("Services.redirect")(function* (accountName: string) {
      const handle = parseHandle(accountName, ownHost)
      if (handle === undefined) return yield* new AccountNotFound()
      const { actor } = yield* Effect.catchTag(actors.byHandle(handle, "account"), "ActorNotFound", () =>
        Effect.fail(new AccountNotFound())
      )
      return HttpServerResponse.redirect(actor.url, { status: 302 })
    })

    yield* router.add(
      "GET",
      "/services/redirect/accounts/:accountName",
      Effect.flatMap(HttpRouter.params, ({ accountName = "" }) => answer(redirect(accountName)))
    )
    yield* router.add(
      "GET",
      "/services/oembed",
      Effect.map(answer(respond()), HttpServerResponse.setHeader("access-control-allow-origin", "*"))
    )
  })
)
