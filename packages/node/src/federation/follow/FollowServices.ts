import { FollowRows } from "@kinora/storage/federation/follow/FollowRows"
import { InstanceFollowLists } from "@kinora/storage/federation/follow/InstanceFollowLists"
import { ReceivedFollows } from "@kinora/storage/federation/follow/ReceivedFollows"
import { Layer } from "effect"
import { FollowJobs } from "./FollowJobs.ts"
import { Follows } from "./Follows.ts"

/** Follows across instances, as far as no other instance is asked: needs `SqlClient`, `KinoraConfig` and `JobBoard`. */
export const FollowServices = Follows.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(FollowRows.layer, ReceivedFollows.layer, FollowJobs.layer)),
  Layer.merge(InstanceFollowLists.layer)
)
