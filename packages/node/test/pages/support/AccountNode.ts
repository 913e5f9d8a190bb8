import { Effect, Layer } from "effect"
import { layerServe } from "../../../src/http/HttpServerLayer.ts"
import { PageCommentsLayer } from "../../../src/comments/PageCommentsLayer.ts"
import { PageInstanceLayer } from "../../../src/instance/PageInstanceLayer.ts"
import { PageSignupLayer } from "../../../src/instance/PageSignupLayer.ts"
import { MailTasks } from "../../../src/mail/MailTasks.ts"
import { PagesOnly } from "./PagesOnly.ts"
import { NotFoundPageRoute } from "../../../src/pages/ListPagesHttp.ts"
import { Pages } from "../../../src/pages/Pages.ts"
import { Sockets } from "../../../src/sockets/Sockets.ts"
import { PageActorsLayer } from "../../../src/users/PageActorsLayer.ts"
import { PagePlaylistsLayer } from "../../../src/playlists/PagePlaylistsLayer.ts"
import { PageVideosLayer } from "../../../src/videos/PageVideosLayer.ts"
import type { Overrides } from "../../../src/config/Config.ts"
import { testOptions, testRoutes, testServices } from "../../instance/TestNode.ts"
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
      PagePlaylistsLayer,
      BuiltClient
    )
  )
)

const routes = Layer.mergeAll(testRoutes, Sockets, Pages, NotFoundPageRoute).pipe(Layer.provide(pageServices))

/** A node with its API and its pages on one address, that sends its mail to the `MailServer` beside it. */
export const accountNode = (overrides: Overrides = {}) =>
  Layer.unwrap(
    Effect.map(MailServer, (server) =>
      Layer.merge(layerServe(routes, testOptions), MailTasks).pipe(
        Layer.provideMerge(testServices({ ...server.overrides, ...overrides }))
      )
    )
  ).pipe(Layer.provideMerge(MailServer.layer))
