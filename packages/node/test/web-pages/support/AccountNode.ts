import { Effect, Layer } from "effect"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { PageCommentsLayer } from "../../../src/web-pages/data/PageCommentsLayer.ts"
import { PageInstanceLayer } from "../../../src/web-pages/data/PageInstanceLayer.ts"
import { PageSignupLayer } from "../../../src/web-pages/data/PageSignupLayer.ts"
import { MailTasks } from "../../../src/platform/mail/MailTasks.ts"
import { PagesOnly } from "./PagesOnly.ts"
import { CustomizationRoutes } from "../../../src/web-pages/CustomizationsHttp.ts"
import { HomepagePageRoute } from "../../../src/web-pages/HomepagePage.ts"
import { NotFoundPageRoute } from "../../../src/web-pages/ListPagesHttp.ts"
import { Pages } from "../../../src/web-pages/Pages.ts"
import { Sockets } from "../../../src/app/Sockets.ts"
import { PageActorsLayer } from "../../../src/web-pages/data/PageActorsLayer.ts"
import { PageListsLayer } from "../../../src/web-pages/data/PageListsLayer.ts"
import { PagePlaylistsLayer } from "../../../src/web-pages/data/PagePlaylistsLayer.ts"
import { PageVideosLayer } from "../../../src/web-pages/data/PageVideosLayer.ts"
import { VideoOrigins } from "../../../src/web-pages/VideoOrigins.ts"
import type { Overrides } from "../../../src/platform/config/Config.ts"
import { testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"
import { MailServer } from "../../support/MailServer.ts"
import { BuiltClient } from "./BuiltClient.ts"

const pageServices = PagesOnly.pipe(
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

const routes = Layer.mergeAll(
  testRoutes,
  Sockets,
  Pages,
  CustomizationRoutes,
  HomepagePageRoute,
  NotFoundPageRoute
).pipe(Layer.provide(pageServices))

/** A node with its API and its pages on one address, that sends its mail to the `MailServer` beside it. */
export const accountNode = (overrides: Overrides = {}) =>
  Layer.unwrap(
    Effect.map(MailServer, (server) =>
      Layer.merge(layerServe(routes, testOptions), MailTasks).pipe(
        Layer.provideMerge(testServices({ ...server.overrides, ...overrides }))
      )
    )
  ).pipe(Layer.provideMerge(MailServer.layer))
