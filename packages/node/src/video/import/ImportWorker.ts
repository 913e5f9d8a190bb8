import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ClaimedJob } from "@kinora/storage/platform/jobs/Job"
import { ImportWork } from "@kinora/storage/video/import/ImportWork"
import { importType } from "@kinora/storage/video/write/NewImport"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { type JobAttempt, type JobWorker, makeJobWorker } from "../../platform/jobs/JobWorker.ts"
import { ProcessingSettings } from "../process/ProcessingSettings.ts"
import { ImportWakeups, type ImportCancelled } from "./ImportWakeups.ts"
import { type RunFailure, RunImport } from "./RunImport.ts"

const decodePayload = Schema.decodeUnknownOption(Schema.Struct({ importId: Schema.Int }))

const died = "Something went wrong on this instance while the video was imported"

type Failure = Exclude<RunFailure, { readonly _tag: "LeaseLost" | "DatabaseUnavailable" }> | ImportCancelled

const make = Effect.gen(function* () {
  const settings = yield* ProcessingSettings
  const work = yield* ImportWork
  const imports = yield* RunImport
  const wakeups = yield* ImportWakeups

  const begin = Effect.fnUntraced(function* (job: ClaimedJob) {
    const payload = decodePayload(job.payload)
    if (Option.isNone(payload)) return "unreadable"
    const { importId } = payload.value
    return Option.map(yield* work.begin(job, importId), (task): JobAttempt<Failure> => ({
      work: (progress) => wakeups.unlessCancelled(importId, imports.run(job, task, progress)),
      release: work.release(importId, job.lease),
      fail: (error) => {
        if (error === undefined) return work.fail(importId, job.lease, died)
        switch (error._tag) {
          case "ImportCancelled":
            return Effect.logInfo(`Import ${importId} was cancelled`)
          case "ImportFailed":
            return Effect.andThen(
              Effect.logInfo(`Import ${importId} failed: ${error.message}`),
              work.fail(importId, job.lease, error.message)
            )
          default:
            return work.fail(importId, job.lease, error.detail)
        }
      }
    }))
  })

  const worker = yield* makeJobWorker({
    types: [importType],
    // The pipeline takes back at its start what its former self held, and may start later.
    owner: `${settings.owner} imports`,
    wakeup: wakeups,
    shared: true,
    begin
  })
  return ImportWorker.of({ ...worker, settleAbandoned: work.settleAbandoned })
})

/** Claims imports from the job board and runs them. */
export class ImportWorker extends Context.Service<
  ImportWorker,
  JobWorker & {
    /** Fails imports nobody will work on any more. */
    readonly settleAbandoned: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/node/imports/ImportWorker") {
  static readonly layer = Layer.effect(ImportWorker, make)
}
