import { fileURLToPath } from "node:url"
import { openApiDocument } from "@kinora/domain/api/OpenApiDocument"
import { Effect, Layer } from "effect"
import { ActivityPubRoutes, ActivityResponder } from "../activitypub/ActivityPubRoutes.ts"
import { KinoraConfig } from "../config/Config.ts"
import { ContactPageRoute } from "../contact/ContactPage.ts"
import { DiscoveryRoutes } from "../discovery/DiscoveryRoutes.ts"
import { DownloadRoutes } from "../downloads/DownloadRoutes.ts"
import { FeedRoutes } from "../feeds/FeedRoutes.ts"
import { FileRoutes } from "../files/FileRoutes.ts"
import { HomepagePageRoute } from "../homepage/HomepagePage.ts"
import { layerApiDocs } from "../http/ApiDocsHttp.ts"
import { InboxRoutes } from "../inbox/InboxRoutes.ts"
import { PageInstanceLayer } from "../instance/PageInstanceLayer.ts"
import { PageSignupLayer } from "../instance/PageSignupLayer.ts"
import { PageUnsubscribeLayer } from "../notifications/PageUnsubscribeLayer.ts"
import { PageCommentsLayer } from "../comments/PageCommentsLayer.ts"
import { ClientAssets } from "../pages/ClientAssets.ts"
import { NotificationPageRoutes } from "../pages/NotificationPagesHttp.ts"
import { NotFoundPageRoute } from "../pages/ListPagesHttp.ts"
import { Pages } from "../pages/Pages.ts"
import { PageSubscriptionsLayer } from "../subscriptions/PageSubscriptionsLayer.ts"
import { TrackerRoutes } from "../tracker/TrackerHttp.ts"
import { sourceUploadRoutes } from "../source/SourceUploadRoutes.ts"
import { Sockets } from "../sockets/Sockets.ts"
import { userImportRoutes } from "../userimports/UserImportRoutes.ts"
import { uploadRoutes } from "../uploads/UploadRoutes.ts"
import { PageActorsLayer } from "../users/PageActorsLayer.ts"
import { PagePlaylistsLayer } from "../playlists/PagePlaylistsLayer.ts"
import { PageVideosLayer } from "../videos/PageVideosLayer.ts"
import { LeanApi } from "./LeanApi.ts"

/** The browser's files stand beside the bundle, and in `dist/web` when the sources run as they are. */
const clientFolder = fileURLToPath(
  import.meta.url.endsWith(".ts") ? new URL("../../../../dist/web", import.meta.url) : new URL("web", import.meta.url)
)

const pageServices = ActivityResponder.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      PageInstanceLayer,
      PageSignupLayer,
      PageActorsLayer,
      PageCommentsLayer,
      PageVideosLayer,
      PageSubscriptionsLayer,
      PageUnsubscribeLayer,
      PagePlaylistsLayer,
      ClientAssets.layer(clientFolder)
    )
  )
)

const pages = Layer.mergeAll(
  Pages,
  NotificationPageRoutes,
  ContactPageRoute,
  HomepagePageRoute,
  NotFoundPageRoute
).pipe(Layer.provide(pageServices))

const docs = Layer.unwrap(
  Effect.map(KinoraConfig, ({ derived }) =>
    layerApiDocs({ document: () => openApiDocument({ origin: derived.origin }) })
  )
)

/** Everything that is answered over HTTP. */
export const Routes = Layer.mergeAll(
  LeanApi,
  uploadRoutes,
  sourceUploadRoutes,
  userImportRoutes,
  FileRoutes,
  DownloadRoutes,
  TrackerRoutes,
  FeedRoutes,
  InboxRoutes,
  DiscoveryRoutes,
  ActivityPubRoutes,
  pages,
  docs,
  Sockets
)
