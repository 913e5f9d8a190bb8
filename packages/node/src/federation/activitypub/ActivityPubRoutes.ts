import { Layer } from "effect"
import { ActorActivityRoutes } from "./ActorActivitiesHttp.ts"
import { activityObjects, ActivityResponder } from "./ActivityPubServices.ts"
import { PlaylistActivityRoutes } from "./PlaylistActivitiesHttp.ts"
import { VideoActivityRoutes } from "./VideoActivitiesHttp.ts"

/** Everything else that other servers may read. Needs the database and `KinoraConfig`. */
export const ActivityPubRoutes = Layer.mergeAll(ActorActivityRoutes, PlaylistActivityRoutes, VideoActivityRoutes).pipe(
  Layer.provide([ActivityResponder, activityObjects])
)
