import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ClaimedJob } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { syncJobType, type WholeChannel } from "@kinora/storage/video/sync/SyncJobs"
import { SyncWork } from "@kinora/storage/video/sync/SyncWork"
import { Cause, Context, Duration, Effect, Exit, Layer, Option, Random, Schema } from "effect"
import { type JobAttempt, type JobWorker, makeJobWorker } from "../../platform/jobs/JobWorker.ts"
import { ProcessingSettings } from "../process/ProcessingSettings.ts"
import { RunSync } from "./RunSync.ts"
import { SyncWakeups } from "./SyncWakeups.ts"
import { SyncSettings } from "./SyncSettings.ts"

/** If the user is blocked or synchronisation is disabled, a check is tried again after this time. */
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

type Failure = Exclude<
  Effect.Error<ReturnType<RunSync["Service"]["whole"]>>,
  { readonly _tag: "LeaseLost" | "DatabaseUnavailable" }
>

const make = Effect.gen(function* () {
  const settings = yield* SyncSettings
  const processing = yield* ProcessingSettings
  const board = yield* JobBoard
  const work = yield* SyncWork
  const syncs = yield* RunSync

  /** The interval plus or minus a tenth, so that the channels of an instance are not all checked at once. */
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
      if (Cause.hasDies(result.cause))
        yield* Effect.logError(`Synchronisation ${syncId} failed unexpectedly`, result.cause)
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

  const begin = (job: ClaimedJob) =>
    Effect.succeed(
      Option.match(decodePayload(job.payload), {
        onNone: () => "unreadable" as const,
        onSome: (payload) =>
          Option.some<JobAttempt<Failure>>({
            work: () => ("channelId" in payload ? onWhole(job, payload) : onSync(job, payload.syncId)),
            fail: (error) => {
              const message = error?.message ?? "It died"
              return Effect.andThen(
                Effect.logWarning(`Job ${job.id} (${job.type}) failed: ${message}`),
                board.fail(job.lease, message)
              )
            }
          })
      })
    )

  const worker = yield* makeJobWorker({
    types: [syncJobType],
    owner: `${processing.owner} syncs`,
    wakeup: yield* SyncWakeups,
    shared: true,
    begin
  })
  return SyncWorker.of({
    ...worker,
    ensureJobs: work.ensureJobs(Duration.toMillis(settings.interval)),
    hasten: work.hasten
  })
})

/** Claims checks of external channels from the job board and runs them. */
export class SyncWorker extends Context.Service<
  SyncWorker,
  JobWorker & {
    /** Plans looks for synchronisations that have none. */
    readonly ensureJobs: Effect.Effect<number, DatabaseUnavailable>
    /** Has every planned look run now. */
    readonly hasten: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/node/syncs/SyncWorker") {
  static readonly layer = Layer.effect(SyncWorker, make)
}
