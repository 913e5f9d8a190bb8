import { RetagWork } from "@kinora/storage/social/tagging/RetagWork"
import { Effect, Layer } from "effect"
import { runAs } from "../../platform/cluster/RunAs.ts"
import { ModerationWorker } from "./ModerationWorker.ts"

/** Needs `SqlClient`, `KinoraConfig`, `CommentRemovals` and the job board. */
export const moderationWorker = ModerationWorker.layer.pipe(Layer.provide(RetagWork.layer))

/** Runs it under the supervisor. */
export const moderationTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const worker = yield* ModerationWorker
    yield* Effect.ignore(worker.takeBack, { log: "Warn" })
    yield* runAs("worker", "notices of moderation", worker.listen)
    yield* runAs("worker", "moderation", worker.run)
  })
).pipe(Layer.provide(moderationWorker))
