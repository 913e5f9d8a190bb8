import { NodeServices } from "@effect/platform-node"
import { Media } from "@kinora/media/Media"
import { Layer } from "effect"
import { DownloadRoutes } from "../../src/downloads/DownloadRoutes.ts"
import { ActivityPubRoutes, ActivityResponder } from "../../src/activitypub/ActivityPubRoutes.ts"
import { layerServe } from "../../src/http/HttpServerLayer.ts"
import { PageCommentsLayer } from "../../src/comments/PageCommentsLayer.ts"
import { PageInstanceLayer } from "../../src/instance/PageInstanceLayer.ts"
import { PageSignupLayer } from "../../src/instance/PageSignupLayer.ts"
import { NotFoundPageRoute } from "../../src/pages/ListPagesHttp.ts"
import { Pages } from "../../src/pages/Pages.ts"
import { TrackerRoutes } from "../../src/tracker/TrackerHttp.ts"
import { PageActorsLayer } from "../../src/users/PageActorsLayer.ts"
import { PagePlaylistsLayer } from "../../src/playlists/PagePlaylistsLayer.ts"
import { PageVideosLayer } from "../../src/videos/PageVideosLayer.ts"
import { testOptions, testRoutes, testServices } from "../instance/TestNode.ts"
import { BuiltClient } from "../pages/support/BuiltClient.ts"
import { People } from "../videos/People.ts"

const pageServices = ActivityResponder.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      PageInstanceLayer,
      PageSignupLayer,
      PageActorsLayer,
      PageCommentsLayer,
      PageVideosLayer,
      PagePlaylistsLayer,
      BuiltClient
    )
  )
)

const pages = Layer.mergeAll(Pages, NotFoundPageRoute).pipe(Layer.provide(pageServices))

/** A node with people that answers everything a visitor may ask: API, files, downloads, pages, discovery, tracker, objects. */
export const wholeNode = People.layer.pipe(
  Layer.provideMerge(
    layerServe(Layer.mergeAll(testRoutes, DownloadRoutes, TrackerRoutes, ActivityPubRoutes, pages), testOptions)
  ),
  Layer.provideMerge(Layer.merge(testServices(), Media.layer.pipe(Layer.provideMerge(NodeServices.layer))))
)
