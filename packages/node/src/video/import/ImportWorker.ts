import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { ImportWork } from "@kinora/storage/video/import/ImportWork"
import { importType } from "@kinora/storage/video/write/NewImport"
import type { ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { Cause, Context, Duration, Effect, Exit, Layer, Option, Schema } from "effect"
import { jobAfterJob, ringing, seenThrough, throughOutages } from "../../platform/jobs/JobAfterJob.ts"
import { ProcessingSettings } from "../process/ProcessingSettings.ts"
import { ImportBell, type ImportCancelled } from "./ImportBell.ts"
import { type RunFailure, RunImport } from "./RunImport.ts"

const lease = Duration.minutes(1)
const heartbeatEvery = Duration.seconds(3)

const Payload = Schema.Struct({ importId: Schema.Int })
const decodePayload = Schema.decodeUnknownEffect(Payload)

type Failure = RunFailure | ImportCancelled

const make = Effect.gen(function* () {
  const settings = yield* ProcessingSettings
  const board = yield* JobBoard
  const upkeep = yield* JobUpkeep
  const work = yield* ImportWork
  const imports = yield* RunImport
  const bell = yield* ImportBell
  // A name of its own: the pipeline takes back at its start what its former self held, and may start later.
  const owner = `${settings.owner} imports`

  /** Tells how far it is, and hears that the import was cancelled or its video deleted elsewhere. */
  const watch = (job: ClaimedJob, percent: () => number) =>
    throughOutages(
      Effect.forever(
        Effect.delay(
          Effect.andThen(
            board.heartbeat(job.lease, lease),
            Effect.suspend(() => board.progress(job.lease, percent()))
          ),
          heartbeatEvery
        )
      )
    )

  const settle = Effect.fnUntraced(function* (importId: number, job: ClaimedJob, exit: Exit.Exit<void, Failure>) {
    if (Exit.isSuccess(exit)) return
    const error = Cause.findErrorOption(exit.cause)
    if (Option.isNone(error)) {
      if (Cause.hasInterruptsOnly(exit.cause)) return yield* work.release(importId, job.lease)
      yield* Effect.logError(`Import ${importId} died`, exit.cause)
      return yield* work.fail(importId, job.lease, "Something went wrong on this instance while the video was imported")
    }
    switch (error.value._tag) {
      case "LeaseLost":
      case "ImportCancelled":
        return yield* Effect.logInfo(`Import ${importId} was ended, or is somebody else's now`)
      case "DatabaseUnavailable":
        return yield* error.value
      case "ImportFailed":
        yield* Effect.logInfo(`Import ${importId} failed: ${error.value.message}`)
        return yield* work.fail(importId, job.lease, error.value.message)
      default:
        return yield* work.fail(importId, job.lease, error.value.detail)
    }
  })

  const handle = Effect.fn("ImportWorker.handle")(function* (
    job: ClaimedJob
  ): Effect.fn.Return<void, LeaseLost | DatabaseUnavailable> {
    const payload = yield* Effect.option(decodePayload(job.payload))
    if (Option.isNone(payload))
      return yield* Effect.asVoid(board.fail(job.lease, "No import is named", { final: true }))
    const { importId } = payload.value
    const task = yield* work.begin(job, importId)
    if (Option.isNone(task)) return yield* board.complete(job.lease)
    let percent = 0
    const run = imports.run(job, task.value, (fraction) => {
      percent = Math.min(99, Math.max(0, Math.floor(fraction * 100)))
    })
    const watched = Effect.raceFirst(
      run,
      watch(job, () => percent)
    )
    yield* seenThrough(bell.unlessCancelled(importId, watched), (exit) =>
      settle(importId, job, exit).pipe(
        // It has ended already, or is somebody else's.
        Effect.catchTag("LeaseLost", () => Effect.void)
      )
    )
  })

  return ImportWorker.of({
    run: jobAfterJob({
      board,
      claim: board.claim([importType], owner, lease),
      handle,
      rung: bell.rung,
      ring: bell.ring
    }),
    listen: ringing(board, bell.ring, [importType]),
    takeBack: upkeep.expireLeases(owner),
    settleAbandoned: work.settleAbandoned
  })
})

/** Takes imports from the job board and sees them through. */
export class ImportWorker extends Context.Service<
  ImportWorker,
  {
    /** Works on one import after another, for ever. An interrupted one is handed back unharmed. */
    readonly run: Effect.Effect<never>
    /** Wakes workers when there is something to do. */
    readonly listen: Effect.Effect<never>
    /** At start: takes back what this node held when it died. */
    readonly takeBack: Effect.Effect<number, DatabaseUnavailable>
    /** Fails imports nobody will work on any more. */
    readonly settleAbandoned: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/node/imports/ImportWorker") {
  static readonly layer = Layer.effect(ImportWorker, make)
}
