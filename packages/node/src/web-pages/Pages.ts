import { Layer } from "effect"
import { AccountPageRoutes } from "./AccountPagesHttp.ts"
import { ActorPageRoutes } from "./ActorPagesHttp.ts"
import { AssetRoutes } from "./AssetsHttp.ts"
import { LanguageRoute } from "./LanguageHttp.ts"
import { FederationPageRoutes } from "./FederationPagesHttp.ts"
import { ListPageRoutes } from "./ListPagesHttp.ts"
import { OEmbedRoutes } from "./OEmbedHttp.ts"
import { PlaylistPageRoutes } from "./PlaylistPagesHttp.ts"
import { SearchPageRoute } from "./SearchPageHttp.ts"
import { VideoPageRoutes } from "./VideoPagesHttp.ts"
import { WorkingAreaRoutes } from "./WorkingAreasHttp.ts"

/**
 * All pages, the browser files and oEmbed. Needs `PageInstance`, `PageVideos`, `PageActors`, `PageLists`, `ClientAssets` and
 * `ActivityPubResponder`. `NotFoundPageRoute` is separate: it takes every remaining path.
 */
export const Pages = Layer.mergeAll(
  VideoPageRoutes,
  PlaylistPageRoutes,
  ActorPageRoutes,
  ListPageRoutes,
  SearchPageRoute,
  AccountPageRoutes,
  WorkingAreaRoutes,
  OEmbedRoutes,
  FederationPageRoutes,
  LanguageRoute,
  AssetRoutes
)
