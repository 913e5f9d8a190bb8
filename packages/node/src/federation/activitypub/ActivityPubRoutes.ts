import { ActorCollections } from "@kinora/storage/federation/activitypub/ActorCollections"
import { ActorOutboxes } from "@kinora/storage/federation/activitypub/ActorOutboxes"
import { ActorObjects } from "@kinora/storage/federation/activitypub/ActorObjects"
import { CommentObjects } from "@kinora/storage/federation/activitypub/CommentObjects"
import { PlaylistObjects } from "@kinora/storage/federation/activitypub/PlaylistObjects"
import { VideoCollections } from "@kinora/storage/federation/activitypub/VideoCollections"
import { VideoObjects } from "@kinora/storage/federation/activitypub/VideoObjects"
import { Layer } from "effect"
import { ActorActivityRoutes } from "./ActorActivitiesHttp.ts"
import { PlaylistActivityRoutes } from "./PlaylistActivitiesHttp.ts"
import { ResponderLayer } from "./Responder.ts"
import { VideoActivityRoutes } from "./VideoActivitiesHttp.ts"

const objects = Layer.mergeAll(
  ActorObjects.layer,
  ActorCollections.layer,
  ActorOutboxes.layer,
  CommentObjects.layer,
  PlaylistObjects.layer,
  VideoObjects.layer,
  VideoCollections.layer
)

/** Answers for the addresses of pages when an ActivityPub object is asked for. */
export const ActivityResponder = ResponderLayer.pipe(Layer.provide(objects))

/** Everything else that other servers may read. Needs the database and `KinoraConfig`. */
export const ActivityPubRoutes = Layer.mergeAll(ActorActivityRoutes, PlaylistActivityRoutes, VideoActivityRoutes).pipe(
  Layer.provide([ActivityResponder, objects])
)
