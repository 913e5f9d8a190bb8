import { RetagWork } from "@kinora/storage/social/tagging/RetagWork"
import { Effect, Layer } from "effect"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { ModerationWorker } from "./ModerationWorker.ts"

/** Needs `SqlClient`, `KinoraConfig`, `CommentRemovals` and the job board. */
export const moderationWorker = ModerationWorker.layer.pipe(Layer.provide(RetagWork.layer))

/** Runs it under the supervisor. */
export const moderationTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const worker = yield* ModerationWorker
    yield* Effect.ignore(worker.takeBack, { log: "Warn" })
    yield* supervisor.run("notices of moderation", worker.listen)
    yield* supervisor.run("moderation", worker.run)
  })
).pipe(Layer.provide(moderationWorker))
