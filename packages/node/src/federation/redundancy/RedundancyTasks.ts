import type { ClaimedJob } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { redundancyJobType } from "@kinora/storage/federation/redundancy/RedundancyPlans"
import { Effect, Layer, Option, Schema } from "effect"
import { runAs } from "../../platform/cluster/RunAs.ts"
import { runOnce } from "../../platform/cluster/Placement.ts"
import { type JobAttempt, makeJobWorker } from "../../platform/jobs/JobWorker.ts"
import { makeWakeup } from "../../platform/jobs/Wakeup.ts"
import { nodeName } from "../../platform/jobs/NodeName.ts"
import { every } from "../../platform/supervision/Every.ts"
import { CopyVideo } from "./CopyVideo.ts"
import { RedundancyRound } from "./RedundancyRound.ts"
import { RedundancySettings } from "./RedundancySettings.ts"

const decode = Schema.decodeUnknownOption(
  Schema.Struct({
    videoId: Schema.Int,
    strategy: Schema.Literals(["manual", "most-views", "trending", "recently-added"]),
    size: Schema.Finite,
    lifetimeMillis: Schema.NullOr(Schema.Finite)
  })
)

type Failure = Exclude<
  Effect.Error<ReturnType<CopyVideo["Service"]["copy"]>>,
  { readonly _tag: "LeaseLost" | "DatabaseUnavailable" }
>

/** Makes copies, one after another, and looks from time to time what is to be copied. */
export const redundancyTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const board = yield* JobBoard
    const copies = yield* CopyVideo
    const round = yield* RedundancyRound
    const settings = yield* RedundancySettings

    const begin = (job: ClaimedJob) =>
      Effect.succeed(
        Option.match(decode(job.payload), {
          onNone: () => "unreadable" as const,
          onSome: (wanted) =>
            Option.some<JobAttempt<Failure>>({
              work: () => Effect.andThen(copies.copy(wanted), board.complete(job.lease)),
              fail: (error) => {
                const message = error?.message ?? "It died"
                return Effect.andThen(
                  Effect.logInfo(`Job ${job.id} (${job.type}): ${message}`),
                  board.fail(job.lease, message, { final: error?._tag === "CopyFailed" && error.final })
                )
              }
            })
        })
      )

    const worker = yield* makeJobWorker({
      types: [redundancyJobType],
      owner: `${yield* nodeName} redundancy`,
      wakeup: yield* makeWakeup,
      begin
    })
    yield* Effect.ignore(worker.takeBack, {
      log: "Warn",
      message: "Jobs of the last run of this node could not be taken back; they are when their leases end"
    })
    yield* runAs("worker", "notices of copies", worker.listen)
    yield* runAs("worker", "copying videos", worker.run)
    yield* runOnce("copies to be made", every(settings.checkInterval, round.run))
  })
).pipe(Layer.provide(Layer.merge(CopyVideo.layer, RedundancyRound.layer)), Layer.provide(RedundancySettings.layer))
