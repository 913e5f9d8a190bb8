import { Layer } from "effect"
import { NodeInfoRoutes } from "./NodeInfoHttp.ts"
import { SiteRoutes } from "./SiteHttp.ts"
import { WebFingerRoute } from "../../federation/discovery/WebFinger.ts"
import { WellKnownFileRoute } from "../../federation/discovery/WellKnownFilesHttp.ts"
import { WellKnownRoutes } from "../../federation/discovery/WellKnownHttp.ts"

/** Everything under Discovery in the contract: needs the instance's services, `ServedBucket` and `KinoraConfig`. */
export const DiscoveryRoutes = Layer.mergeAll(
  NodeInfoRoutes,
  SiteRoutes,
  WebFingerRoute,
  WellKnownFileRoute,
  WellKnownRoutes
)
