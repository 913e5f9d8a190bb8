import { HttpApi } from "effect/http-api"
import { ActivityPubRoutes } from "./ActivityPubRoutes.ts"
import { DiscoveryRoutes } from "./DiscoveryRoutes.ts"
import { DownloadRoutes } from "./DownloadRoutes.ts"
import { FeedRoutes } from "./FeedRoutes.ts"
import { InboxRoutes } from "./InboxRoutes.ts"
import { PageRoutes } from "./PageRoutes.ts"
import { PictureRoutes } from "./PictureRoutes.ts"
import { ServiceRoutes } from "./ServiceRoutes.ts"
import { SocketRoutes } from "./SocketRoutes.ts"
import { SourceRoutes } from "./SourceRoutes.ts"
import { TrackerRoutes } from "./TrackerRoutes.ts"
import { UploadRoutes } from "./UploadRoutes.ts"
import { WhipRoutes } from "./WhipRoutes.ts"
import { UserImportRoutes } from "./UserImportRoutes.ts"
import { VideoFileRoutes } from "./VideoFileRoutes.ts"

/**
 * Routes that are served by hand: pages, files, discovery, uploads. Here they are documented, and their endpoints can
 * be used to read their parameters; no handler is registered through HttpApi.
 */
export class Documented extends HttpApi.make("kinoraRaw")
  .add(
    UploadRoutes,
    SourceRoutes,
    UserImportRoutes,
    VideoFileRoutes,
    DownloadRoutes,
    PictureRoutes,
    DiscoveryRoutes,
    ActivityPubRoutes,
    FeedRoutes,
    InboxRoutes,
    PageRoutes,
    ServiceRoutes,
    SocketRoutes,
    TrackerRoutes,
    WhipRoutes
  )
  .annotate(HttpApi.ParseOptions, { errors: "all" }) {}
