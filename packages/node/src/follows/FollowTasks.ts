import { FollowTargets } from "@kinora/storage/follows/FollowTargets"
import { Effect, Layer } from "effect"
import { Supervisor } from "../supervision/Supervisor.ts"
import { Backfill } from "./Backfill.ts"
import { FollowWorker } from "./FollowWorker.ts"
import { RemoteHandles } from "./RemoteHandles.ts"

/** Jobs at the same time; most of one is waiting for others. */
const workers = 3

/** Needs what `FollowServices` gives, `RemoteActors`, `RemoteObjects`, `RemoteVideos`, `FetchGuard` and `GuardedFetch`. */
export const followWorker = FollowWorker.layer.pipe(
  Layer.provide(Layer.merge(Backfill.layer, RemoteHandles.layer)),
  Layer.provide(FollowTargets.layer)
)

/** Follows whom it is told to, under the supervisor. */
export const followTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const worker = yield* FollowWorker
    yield* Effect.ignore(worker.takeBack, { log: "Warn" })
    yield* supervisor.run("notices of follows", worker.listen)
    for (let n = 1; n <= workers; n++) yield* supervisor.run(`following ${n}`, worker.run)
  })
).pipe(Layer.provide(followWorker))
