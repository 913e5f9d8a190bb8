import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { redundancyJobType } from "@kinora/storage/federation/redundancy/RedundancyPlans"
import { Cause, Duration, Effect, Exit, Layer, Option, Queue, Schema } from "effect"
import { jobAfterJob, ringing, seenThrough, throughOutages } from "../../platform/jobs/JobAfterJob.ts"
import { nodeName } from "../../platform/jobs/NodeName.ts"
import { every } from "../../platform/supervision/Every.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { CopyVideo } from "./CopyVideo.ts"
import { RedundancyRound } from "./RedundancyRound.ts"
import { RedundancySettings } from "./RedundancySettings.ts"

const lease = Duration.minutes(1)
const heartbeatEvery = Duration.seconds(15)

const decode = Schema.decodeUnknownOption(
  Schema.Struct({
    videoId: Schema.Int,
    strategy: Schema.Literals(["manual", "most-views", "trending", "recently-added"]),
    size: Schema.Finite,
    lifetimeMillis: Schema.NullOr(Schema.Finite)
  })
)

/** Makes copies, one after another, and looks from time to time what is to be copied. */
export const redundancyTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const board = yield* JobBoard
    const upkeep = yield* JobUpkeep
    const copies = yield* CopyVideo
    const round = yield* RedundancyRound
    const settings = yield* RedundancySettings
    // A name of its own: others take back at their start what their former selves held.
    const owner = `${yield* nodeName} redundancy`
    const bell = yield* Queue.sliding<void>(1)

    const work = Effect.fnUntraced(function* (job: ClaimedJob) {
      const wanted = decode(job.payload)
      if (Option.isNone(wanted)) {
        return yield* Effect.asVoid(board.fail(job.lease, "No video is named", { final: true }))
      }
      yield* copies.copy(wanted.value)
      yield* board.complete(job.lease)
    })

    const heartbeat = (job: ClaimedJob) =>
      throughOutages(Effect.forever(Effect.delay(board.heartbeat(job.lease, lease), heartbeatEvery)))

    const settle = (
      job: ClaimedJob,
      exit: Exit.Exit<void, Effect.Error<ReturnType<typeof work>> | LeaseLost>
    ): Effect.Effect<void, LeaseLost | DatabaseUnavailable> => {
      if (Exit.isSuccess(exit)) return Effect.void
      if (Cause.hasInterruptsOnly(exit.cause)) return board.release(job.lease)
      const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
      if (error?._tag === "LeaseLost") return Effect.void
      const message = error?.message ?? "It died"
      return Effect.andThen(
        error === undefined
          ? Effect.logError(`Copying a video died (job ${job.id})`, exit.cause)
          : Effect.logInfo(`Job ${job.id} (${job.type}): ${message}`),
        Effect.asVoid(board.fail(job.lease, message, { final: error?._tag === "CopyFailed" && error.final }))
      )
    }

    const handle = (job: ClaimedJob) =>
      seenThrough(Effect.raceFirst(work(job), heartbeat(job)), (exit) =>
        // It is somebody else's.
        Effect.catchTag(settle(job, exit), "LeaseLost", () => Effect.void)
      )

    yield* Effect.ignore(upkeep.expireLeases(owner), { log: "Warn" })
    yield* supervisor.run("notices of copies", ringing(board, Queue.offer(bell, undefined), [redundancyJobType]))
    yield* supervisor.run(
      "copying videos",
      jobAfterJob({ board, claim: board.claim([redundancyJobType], owner, lease), handle, rung: Queue.take(bell) })
    )
    yield* supervisor.run("copies to be made", every(settings.checkInterval, round.run))
  })
).pipe(Layer.provide(Layer.merge(CopyVideo.layer, RedundancyRound.layer)), Layer.provide(RedundancySettings.layer))
