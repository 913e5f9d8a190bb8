import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { syncJobType, type WholeChannel } from "@kinora/storage/video/sync/SyncJobs"
import { SyncWork } from "@kinora/storage/video/sync/SyncWork"
import { Cause, Context, Duration, Effect, Exit, Layer, Option, Random, Schema } from "effect"
import { jobAfterJob, ringing, seenThrough, throughOutages } from "../../platform/jobs/JobAfterJob.ts"
import { ProcessingSettings } from "../process/ProcessingSettings.ts"
import { RunSync } from "./RunSync.ts"
import { SyncBell } from "./SyncBell.ts"
import { SyncSettings } from "./SyncSettings.ts"

const lease = Duration.minutes(1)
const heartbeatEvery = Duration.seconds(10)

/** Looks of a blocked user, or of an instance that does not synchronise any more, are asked about again after so long. */
const postponed = Duration.hours(6)

const Payload = Schema.Union([
  Schema.Struct({
    channelId: Schema.Int,
    externalChannelUrl: Schema.String,
    syncId: Schema.NullOr(Schema.Int),
    userId: Schema.Int,
    accountId: Schema.Int
  }),
  Schema.Struct({ syncId: Schema.Int })
])
const decodePayload = Schema.decodeUnknownOption(Payload)

type Ended = Effect.Effect<void, LeaseLost | DatabaseUnavailable>

const make = Effect.gen(function* () {
  const settings = yield* SyncSettings
  const processing = yield* ProcessingSettings
  const board = yield* JobBoard
  const upkeep = yield* JobUpkeep
  const work = yield* SyncWork
  const syncs = yield* RunSync
  const bell = yield* SyncBell
  // A name of its own: others take back at their start what their former selves held.
  const owner = `${processing.owner} syncs`

  const heartbeat = (job: ClaimedJob) =>
    throughOutages(Effect.forever(Effect.delay(board.heartbeat(job.lease, lease), heartbeatEvery)))

  /** An interval, a tenth more or less, so that all channels of an instance are not looked into at once. */
  const nextMillis = Effect.map(Random.nextBetween(0.9, 1.1), (factor) =>
    Math.floor(Duration.toMillis(settings.interval) * factor)
  )

  const onSync = Effect.fnUntraced(function* (job: ClaimedJob, syncId: number) {
    const task = settings.enabled ? yield* work.begin(syncId) : Option.none()
    if (Option.isNone(task)) return yield* work.postpone(job.lease, syncId, Duration.toMillis(postponed))
    const result = yield* Effect.exit(syncs.look(task.value))
    if (Exit.isFailure(result) && Cause.hasInterruptsOnly(result.cause))
      return yield* Effect.failCause(result.cause as Cause.Cause<never>)
    const message = Exit.isSuccess(result)
      ? `${result.value} imports`
      : Option.match(Cause.findErrorOption(result.cause), {
          onNone: () => "It died",
          onSome: (error) => (error._tag === "DatabaseUnavailable" ? error.detail : error.message)
        })
    if (Exit.isFailure(result)) {
      yield* Effect.logInfo(`Synchronisation ${syncId} failed: ${message}`)
      if (Cause.hasDies(result.cause)) yield* Effect.logError(`Synchronisation ${syncId} died`, result.cause)
    }
    yield* work.finish(job.lease, task.value, {
      succeeded: Exit.isSuccess(result),
      message,
      nextMillis: yield* nextMillis
    })
  })

  const onWhole = Effect.fnUntraced(function* (job: ClaimedJob, wanted: WholeChannel) {
    if (!settings.imports)
      return yield* Effect.asVoid(board.fail(job.lease, "Imports are switched off", { final: true }))
    const taken = yield* syncs.whole(wanted)
    yield* board.complete(job.lease, { imports: taken })
  })

  const run = (job: ClaimedJob) => {
    const payload = decodePayload(job.payload)
    if (Option.isNone(payload)) return Effect.asVoid(board.fail(job.lease, "No channel is named", { final: true }))
    return "channelId" in payload.value ? onWhole(job, payload.value) : onSync(job, payload.value.syncId)
  }

  const handle = Effect.fn("SyncWorker.handle")(function* (
    job: ClaimedJob
  ): Effect.fn.Return<void, DatabaseUnavailable> {
    const settle = (exit: Exit.Exit<void, { readonly _tag: string; readonly message: string }>): Ended => {
      if (Exit.isSuccess(exit)) return Effect.void
      if (Cause.hasInterruptsOnly(exit.cause)) return board.release(job.lease)
      const error = Cause.findErrorOption(exit.cause)
      if (Option.isSome(error) && error.value._tag === "LeaseLost") return Effect.void
      const message = Option.isSome(error) ? error.value.message : "It died"
      return Effect.andThen(
        Effect.logWarning(`Job ${job.id} (${job.type}) failed: ${message}`, exit.cause),
        Effect.asVoid(board.fail(job.lease, message))
      )
    }
    yield* seenThrough(Effect.raceFirst(run(job), heartbeat(job)), (exit) =>
      // It is somebody else's.
      Effect.catchTag(settle(exit), "LeaseLost", () => Effect.void)
    )
  })

  return SyncWorker.of({
    run: jobAfterJob({
      board,
      claim: board.claim([syncJobType], owner, lease),
      handle,
      rung: bell.rung,
      ring: bell.ring
    }),
    listen: ringing(board, bell.ring, [syncJobType]),
    takeBack: upkeep.expireLeases(owner),
    ensureJobs: work.ensureJobs(Duration.toMillis(settings.interval))
  })
})

/** Takes looks into channels elsewhere from the job board and sees them through. */
export class SyncWorker extends Context.Service<
  SyncWorker,
  {
    /** One look after another, for ever. An interrupted one is handed back unharmed. */
    readonly run: Effect.Effect<never>
    /** Wakes workers when there is something to do. */
    readonly listen: Effect.Effect<never>
    /** At start: takes back what this node held when it died. */
    readonly takeBack: Effect.Effect<number, DatabaseUnavailable>
    /** Plans looks for synchronisations that have none. */
    readonly ensureJobs: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/node/syncs/SyncWorker") {
  static readonly layer = Layer.effect(SyncWorker, make)
}
