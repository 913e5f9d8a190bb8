import { NotImplemented } from "@kinora/domain/errors/RequestErrors"
import { VideoForbidden, VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answer } from "../http/Answer.ts"
import { decodeOEmbed, oembedOf } from "./OEmbed.ts"
import { PageInstance } from "./PageInstance.ts"
import { PageVideos } from "./PageVideos.ts"
import { showing } from "./Visibility.ts"

/** `GET /services/oembed` (contract: oembed): 400 for other addresses, 404, 403 for locked videos, 501 for XML. */
export const OEmbedRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const instance = yield* PageInstance
    const videos = yield* PageVideos

    const respond = Effect.fn("OEmbed.respond")(function* () {
      const request = yield* decodeOEmbed(yield* HttpServerRequest.ParsedSearchParams, instance.origin)
      if (request.format === "xml") return yield* new NotImplemented({ what: "oEmbed as XML" })
      const { details, facts } = yield* videos.byId(request.id)
      const shown = yield* showing(facts, request.id)
      if (shown === "pending") return yield* new VideoNotFound()
      if (shown === "locked") return yield* new VideoForbidden()
      return oembedOf(details, request, instance)
    })

    yield* router.add(
      "GET",
      "/services/oembed",
      Effect.map(answer(respond()), HttpServerResponse.setHeader("access-control-allow-origin", "*"))
    )
  })
)
