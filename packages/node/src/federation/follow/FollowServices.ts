import { FollowRows } from "@kinora/storage/federation/follow/FollowRows"
import { InstanceFollowLists } from "@kinora/storage/federation/follow/InstanceFollowLists"
import { ReceivedFollows } from "@kinora/storage/federation/follow/ReceivedFollows"
import { Effect, Layer } from "effect"
import { RemoteSubscriptions } from "../../social/subscription/RemoteSubscriptions.ts"
import { FollowJobs } from "./FollowJobs.ts"
import { Follows } from "./Follows.ts"
import { NewFollowings } from "./NewFollowings.ts"

const subscriptions = Layer.effect(
  RemoteSubscriptions,
  Effect.map(FollowJobs, ({ askForUser, dropForUser }) => RemoteSubscriptions.of({ askForUser, dropForUser }))
)

/** Follows across instances, as far as no other instance is asked: needs `SqlClient`, `KinoraConfig` and `JobBoard`. */
export const FollowServices = Layer.merge(
  NewFollowings.layer.pipe(Layer.provideMerge(Follows.layer)),
  subscriptions
).pipe(
  Layer.provideMerge(Layer.mergeAll(FollowRows.layer, ReceivedFollows.layer, FollowJobs.layer)),
  Layer.merge(InstanceFollowLists.layer)
)
