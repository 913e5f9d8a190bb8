import { NotificationEvents } from "@kinora/storage/social/notification/NotificationEvents"
import { Layer } from "effect"
import { actorTasks } from "../activitypub/ActorTasks.ts"
import { FollowServices } from "../follow/FollowServices.ts"
import { followTasks } from "../follow/FollowTasks.ts"
import { RemoteHandles } from "../remote/RemoteHandles.ts"
import { InboxServices } from "../inbox/InboxServices.ts"
import { InboxTasks } from "../inbox/InboxTasks.ts"
import { OutboxServices } from "../outbox/OutboxServices.ts"
import { OutboxTasks } from "../outbox/OutboxTasks.ts"
import { RedundancyServices } from "../redundancy/RedundancyServices.ts"
import { redundancyTasks } from "../redundancy/RedundancyTasks.ts"
import { DepartureTasks } from "../remote/DepartureTasks.ts"
import { RemoteServices } from "../remote/RemoteServices.ts"
import { remoteLookup } from "../remote/RemoteLookupLayer.ts"

/**
 * Everything that speaks with other instances: each helper service has its line, in the order of what stands on what (the
 * last of the pipe is the ground). Needs the database, `KinoraConfig`, `GuardedFetch`, `ObjectStore`, the cluster and `Supervisor`.
 */
export const FederationServices = InboxServices.pipe(
  Layer.provideMerge(remoteLookup.pipe(Layer.provideMerge(RemoteHandles.layer))),
  Layer.provideMerge(Layer.merge(FollowServices, RedundancyServices)),
  Layer.provideMerge(RemoteServices),
  Layer.provideMerge(OutboxServices),
  Layer.provideMerge(NotificationEvents.layer)
)

/** What runs for it in the background. */
export const federationTasks = Layer.mergeAll(
  InboxTasks,
  OutboxTasks,
  DepartureTasks,
  followTasks,
  redundancyTasks,
  actorTasks
)
