import { NodeServices } from "@effect/platform-node"
import { Media } from "@kinora/media/Media"
import { Layer } from "effect"
import { DownloadRoutes } from "../../../src/video/download/DownloadRoutes.ts"
import { ActivityPubRoutes } from "../../../src/federation/activitypub/ActivityPubRoutes.ts"
import { ActivityResponder } from "../../../src/federation/activitypub/ActivityPubServices.ts"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { PageCommentsLayer } from "../../../src/web-pages/data/PageCommentsLayer.ts"
import { PageInstanceLayer } from "../../../src/web-pages/data/PageInstanceLayer.ts"
import { PageSignupLayer } from "../../../src/web-pages/data/PageSignupLayer.ts"
import { NotFoundPageRoute } from "../../../src/web-pages/ListPagesHttp.ts"
import { Pages } from "../../../src/web-pages/Pages.ts"
import { TrackerRoutes } from "../../../src/video/tracker/TrackerHttp.ts"
import { PageActorsLayer } from "../../../src/web-pages/data/PageActorsLayer.ts"
import { PageListsLayer } from "../../../src/web-pages/data/PageListsLayer.ts"
import { PagePlaylistsLayer } from "../../../src/web-pages/data/PagePlaylistsLayer.ts"
import { PageVideosLayer } from "../../../src/web-pages/data/PageVideosLayer.ts"
import { VideoOrigins } from "../../../src/web-pages/VideoOrigins.ts"
import { testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"
import { BuiltClient } from "../../web-pages/support/BuiltClient.ts"
import { People } from "../list/People.ts"

const pageServices = ActivityResponder.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      PageInstanceLayer,
      PageSignupLayer,
      PageActorsLayer,
      PageCommentsLayer,
      PageVideosLayer,
      VideoOrigins.layer,
      PageListsLayer,
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
