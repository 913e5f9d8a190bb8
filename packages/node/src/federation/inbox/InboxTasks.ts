import { InboxUpkeep } from "@kinora/storage/federation/inbox/InboxUpkeep"
import { Duration, Effect, Layer } from "effect"
import { runAs } from "../../platform/cluster/RunAs.ts"
import { Placement, runOnce } from "../../platform/cluster/Placement.ts"
import { sweeping } from "../../platform/cluster/Sweeping.ts"
import { every } from "../../platform/supervision/Every.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { InboxBacklog } from "./InboxBacklog.ts"
import { InboxHosts } from "./InboxHosts.ts"

/** What is due is found again in this time, when its wake was lost or its wait is over. */
const sweepEvery = Duration.seconds(3)
const lookEvery = Duration.minutes(1)
const broadcastEvery = Duration.millis(500)
/** As old as the number of viewers may be. */
const viewersEvery = Duration.seconds(10)
const pruneEvery = Duration.hours(1)
const forgetEvery = Duration.days(1)

/** Within so many days a repetition of an activity is known to be one. */
const keptDays = 7

/** Who did nothing that is kept is unknown again after so many days. */
const unusedDays = 30

/** Finds what waits, at start and from time to time, and forgets what is done. */
export const InboxTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const upkeep = yield* InboxUpkeep
    const backlog = yield* InboxBacklog
    const hosts = yield* InboxHosts
    const sweep = Effect.flatMap(upkeep.dueHosts, (due) => Effect.forEach(due, hosts.wakeOurs, { discard: true }))
    const prune = Effect.andThen(upkeep.prune(keptDays), upkeep.pruneCounting)
    yield* supervisor.run("inbox backlog", every(lookEvery, backlog.look))
    if ((yield* Placement).several) {
      yield* supervisor.run("inbox backlog for other nodes", every(broadcastEvery, backlog.broadcast))
    }
    yield* runAs("worker", "inbox sweep", sweeping(sweepEvery, sweep))
    yield* runOnce("inbox pruning", every(pruneEvery, prune))
    yield* runOnce("unused actors", every(forgetEvery, upkeep.forgetUnusedActors(unusedDays)))
    yield* runOnce("remote viewers", every(viewersEvery, upkeep.settleViewers))
  })
)
