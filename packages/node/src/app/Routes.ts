import { fileURLToPath } from "node:url"
import { Api } from "@kinora/domain/api/Api"
import { openApiDocument } from "@kinora/domain/api/OpenApiDocument"
import { Effect, Layer } from "effect"
import { ActivityPubRoutes } from "../federation/activitypub/ActivityPubRoutes.ts"
import { ActivityResponder } from "../federation/activitypub/ActivityPubServices.ts"
import { KinoraConfig } from "../platform/config/Config.ts"
import { ContactPageRoute } from "../web-pages/ContactPage.ts"
import { CustomizationRoutes } from "../web-pages/CustomizationsHttp.ts"
import { DiscoveryRoutes } from "../instance/discovery/DiscoveryRoutes.ts"
import { UserExportDownload } from "../archive/export/UserExportDownload.ts"
import { DownloadRoutes } from "../video/download/DownloadRoutes.ts"
import { FeedRoutes } from "../social/feed/FeedRoutes.ts"
import { FileRoutes } from "../video/file/FileRoutes.ts"
import { HomepagePageRoute } from "../web-pages/HomepagePage.ts"
import { layerApiDocs } from "../platform/http/ApiDocsHttp.ts"
import { layerApi } from "../platform/http/ApiRoutes.ts"
import { InboxRoutes } from "../federation/inbox/InboxRoutes.ts"
import { PageInstanceLayer } from "../web-pages/data/PageInstanceLayer.ts"
import { PageSignupLayer } from "../web-pages/data/PageSignupLayer.ts"
import { PageUnsubscribeLayer } from "../web-pages/data/PageUnsubscribeLayer.ts"
import { PageCommentsLayer } from "../web-pages/data/PageCommentsLayer.ts"
import { ClientAssets } from "../web-pages/ClientAssets.ts"
import { NotificationPageRoutes } from "../web-pages/NotificationPagesHttp.ts"
import { NotFoundPageRoute } from "../web-pages/ListPagesHttp.ts"
import { Pages } from "../web-pages/Pages.ts"
import { TrackerRoutes } from "../video/tracker/TrackerHttp.ts"
import { sourceUploadRoutes } from "../video/source/SourceUploadRoutes.ts"
import { Sockets } from "./Sockets.ts"
import { userImportRoutes } from "../archive/import/UserImportRoutes.ts"
import { uploadRoutes } from "../video/upload/UploadRoutes.ts"
import { PageActorsLayer } from "../web-pages/data/PageActorsLayer.ts"
import { PageListsLayer } from "../web-pages/data/PageListsLayer.ts"
import { PagePlaylistsLayer } from "../web-pages/data/PagePlaylistsLayer.ts"
import { VideoOrigins } from "../web-pages/VideoOrigins.ts"
import { PageVideosLayer } from "../web-pages/data/PageVideosLayer.ts"
import { whipRoutes } from "../live/ingest/WhipHttp.ts"
import { ApiHandlers } from "./api/ApiHandlers.ts"

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
      VideoOrigins.layer,
      PageUnsubscribeLayer,
      PageListsLayer,
      PagePlaylistsLayer,
      ClientAssets.layer(clientFolder)
    )
  )
)

const pages = Layer.mergeAll(
  Pages,
  NotificationPageRoutes,
  ContactPageRoute,
  CustomizationRoutes,
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
  layerApi(Api).pipe(Layer.provide(ApiHandlers)),
  uploadRoutes,
  sourceUploadRoutes,
  userImportRoutes,
  FileRoutes,
  DownloadRoutes,
  UserExportDownload,
  TrackerRoutes,
  whipRoutes,
  FeedRoutes,
  InboxRoutes,
  DiscoveryRoutes,
  ActivityPubRoutes,
  pages,
  docs,
  Sockets
)
