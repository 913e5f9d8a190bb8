import { ActorCollections } from "@kinora/storage/federation/activitypub/ActorCollections"
import { ActorOutboxes } from "@kinora/storage/federation/activitypub/ActorOutboxes"
import { ActorObjects } from "@kinora/storage/federation/activitypub/ActorObjects"
import { CommentObjects } from "@kinora/storage/federation/activitypub/CommentObjects"
import { KeptVideoObjects } from "@kinora/storage/federation/activitypub/KeptVideoObjects"
import { PlaylistObjects } from "@kinora/storage/federation/activitypub/PlaylistObjects"
import { VideoCollections } from "@kinora/storage/federation/activitypub/VideoCollections"
import { VideoObjects } from "@kinora/storage/federation/activitypub/VideoObjects"
import { Layer } from "effect"
import { ResponderLayer } from "./Responder.ts"

/** What other servers may read of this instance. Needs `SqlClient`. */
export const activityObjects = Layer.mergeAll(
  ActorObjects.layer,
  ActorCollections.layer,
  ActorOutboxes.layer,
  CommentObjects.layer,
  KeptVideoObjects.layer,
  PlaylistObjects.layer,
  VideoObjects.layer,
  VideoCollections.layer
)

/** Answers for the addresses of pages when an ActivityPub object is asked for. Needs `SqlClient` and `KinoraConfig`. */
export const ActivityResponder = ResponderLayer.pipe(Layer.provide(activityObjects))
