import { Effect, Layer } from "effect"
import { ActivityPubRoutes } from "../../../src/federation/activitypub/ActivityPubRoutes.ts"
import { ActivityResponder } from "../../../src/federation/activitypub/ActivityPubServices.ts"
import { PageCommentsLayer } from "../../../src/web-pages/data/PageCommentsLayer.ts"
import type { Overrides } from "../../../src/platform/config/Config.ts"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { PageInstanceLayer } from "../../../src/web-pages/data/PageInstanceLayer.ts"
import { PageSignupLayer } from "../../../src/web-pages/data/PageSignupLayer.ts"
import { ClientAssets } from "../../../src/web-pages/ClientAssets.ts"
import { NotFoundPageRoute } from "../../../src/web-pages/ListPagesHttp.ts"
import { Pages } from "../../../src/web-pages/Pages.ts"
import { PageListsLayer } from "../../../src/web-pages/data/PageListsLayer.ts"
import { PagePlaylistsLayer } from "../../../src/web-pages/data/PagePlaylistsLayer.ts"
import { PageActorsLayer } from "../../../src/web-pages/data/PageActorsLayer.ts"
import { PageVideosLayer } from "../../../src/web-pages/data/PageVideosLayer.ts"
import { VideoOrigins } from "../../../src/web-pages/VideoOrigins.ts"
import { testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"

/** Pages without the files of the browser: nobody opens them here. */
const clientAssets = Layer.succeed(ClientAssets)({
  entry: () => ({ js: "/client/assets/none.js", css: "/client/assets/none.css", imports: [] }),
  isDevelopment: false,
  serviceWorker: { type: "text/javascript", compressed: false, read: () => Effect.succeed(new Uint8Array()) },
  reveal: "/client/assets/none.js",
  hls: "/client/assets/none.js",
  translation: () => undefined,
  asset: () => undefined,
  icon: () => undefined
})

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
      clientAssets
    )
  )
)

const pages = Layer.mergeAll(Pages, NotFoundPageRoute).pipe(Layer.provide(pageServices))

/** Whatever other servers may read, at addresses that it shares with pages. */
export const readableRoutes = Layer.mergeAll(ActivityPubRoutes, pages)

/** A node that other servers can read, and that has no API. */
export const readableNode = (overrides: Overrides = {}) =>
  layerServe(readableRoutes, testOptions).pipe(Layer.provideMerge(testServices(overrides)))

/** What `testNode` answers, and whatever other servers may read. */
export const federatedNode = (overrides: Overrides = {}) =>
  layerServe(Layer.mergeAll(testRoutes, readableRoutes), testOptions).pipe(Layer.provideMerge(testServices(overrides)))
