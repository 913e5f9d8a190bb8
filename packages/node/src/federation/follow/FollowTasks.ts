import { FollowTargets } from "@kinora/storage/federation/follow/FollowTargets"
import { FollowedListings } from "@kinora/storage/federation/follow/FollowedListings"
import { GroupServers } from "@kinora/storage/federation/follow/GroupServers"
import { Duration, Effect, Layer } from "effect"
import { runAs } from "../../platform/cluster/RunAs.ts"
import { runOnce } from "../../platform/cluster/Placement.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { every } from "../../platform/supervision/Every.ts"
import { Backfill } from "./Backfill.ts"
import { FollowWorker } from "./FollowWorker.ts"
import { GroupHosts } from "./GroupHosts.ts"
import { RemoteHandles } from "../remote/RemoteHandles.ts"

/** Jobs at the same time; most of one is waiting for others. */
const workers = 3
/** What is followed from now on, or no more, is soon in lists or gone from them. */
const listedEvery = Duration.seconds(2)
const listedAtOnce = 500
/** Who follows a channel is soon known for what it is. */
const askedEvery = Duration.seconds(20)

/** Needs what `FollowServices` gives, `RemoteActors`, `RemoteObjects`, `RemoteVideos`, `FetchGuard` and `GuardedFetch`. */
const followWorker = FollowWorker.layer.pipe(
  Layer.provide(Layer.merge(Backfill.layer, RemoteHandles.layer)),
  Layer.provide(FollowTargets.layer)
)

/** Follows the instances of the configured index, under the supervisor. */
export const followTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const worker = yield* FollowWorker
    const { federation } = yield* KinoraConfig
    const announces = federation.enabled && federation.announce_conversations
    yield* (yield* GroupServers).configure(announces)
    yield* Effect.ignore(worker.takeBack, {
      log: "Warn",
      message: "Jobs of the last run of this node could not be taken back; they are when their leases end"
    })
    yield* runAs("worker", "notices of follows", worker.listen)
    for (let n = 1; n <= workers; n++) yield* runAs("worker", `following ${n}`, worker.run)
    const listings = yield* FollowedListings
    const list = Effect.gen(function* () {
      while (yield* listings.apply(listedAtOnce));
    })
    yield* runOnce("listing of what is followed", every(listedEvery, list))
    if (announces) yield* runOnce("servers of groups", every(askedEvery, (yield* GroupHosts).learn))
  })
).pipe(Layer.provide([followWorker, GroupHosts.layer, GroupServers.layer, FollowedListings.layer]))
