import { type DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { UserExportRows, userExportObject, userExportType } from "@kinora/storage/archive/export/UserExportRows"
import type { ExportTask } from "@kinora/storage/archive/export/sections/ExportTask"
import { UserExportWork } from "@kinora/storage/archive/export/UserExportWork"
import type { ClaimedJob } from "@kinora/storage/platform/jobs/Job"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Context, Duration, Effect, Exit, Layer, Option, Schema } from "effect"
import { join } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type JobAttempt, type JobWorker, makeJobWorker } from "../../platform/jobs/JobWorker.ts"
import { makeWakeup } from "../../platform/jobs/Wakeup.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { ProcessingSettings } from "../../video/process/ProcessingSettings.ts"
import { ArchiveEntries } from "./ArchiveEntries.ts"
import { ArchiveFolders } from "./ArchiveFolders.ts"
import { writeZip } from "./ArchiveZip.ts"

const decodePayload = Schema.decodeUnknownOption(Schema.Struct({ exportId: Schema.Int }))

/** The failure message a user sees. */
const diskFull = "This instance had not enough disk space for the archive"
const died = "Something went wrong on this instance while the archive was made"

const make = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const settings = yield* ProcessingSettings
  const rows = yield* UserExportRows
  const work = yield* UserExportWork
  const objects = yield* ObjectStore
  const folders = yield* ArchiveFolders
  const archive = yield* ArchiveEntries
  const mailer = yield* Mailer
  const { users } = config.export

  const announce = (task: ExportTask) =>
    mailer.enabled
      ? mailer.queue({
          _tag: "UserExportReady",
          to: task.email,
          username: task.username,
          days: Math.max(1, Math.floor(Duration.toDays(users.export_expiration)))
        })
      : Effect.void

  const run = Effect.fn("UserExportWorker.run")(function* (
    job: ClaimedJob,
    task: ExportTask,
    onSection: (done: number) => void
  ) {
    if (task.withVideoFiles && (yield* rows.videoBytes(task.userId)) > (yield* folders.free)) {
      return yield* new InsufficientStorage()
    }
    const path = join(yield* folders.make(`${job.uuid}-${job.attempt}`), "archive.zip")
    yield* writeZip(path, archive.entries(task, onSection))
    yield* work.intend(task.uuid)
    const store = Effect.gen(function* () {
      const { size } = yield* objects.put(userExportObject(task.uuid), path)
      yield* work.finish(task, job.lease, { size, keep: users.export_expiration }, announce(task))
    })
    yield* Effect.onExit(store, (exit) =>
      Exit.isSuccess(exit)
        ? Effect.void
        : Effect.ignore(work.abandon(task.uuid, job.lease), {
            log: "Warn",
            message: "An export that failed could not be noted"
          })
    )
  }, Effect.scoped)

  const begin = Effect.fnUntraced(function* (job: ClaimedJob) {
    const payload = decodePayload(job.payload)
    if (Option.isNone(payload)) return "unreadable"
    const { exportId } = payload.value
    return Option.map(yield* work.begin(job, exportId), (task): JobAttempt<InsufficientStorage> => ({
      work: (progress) => run(job, task, progress),
      release: work.release(exportId, job.lease),
      fail: (error) => work.fail(exportId, job.lease, error === undefined ? died : diskFull, false)
    }))
  })

  const worker = yield* makeJobWorker({
    types: [userExportType],
    // A separate owner name: the video pipeline releases the jobs of its own name when it starts, which may be later.
    owner: `${settings.owner} user exports`,
    wakeup: yield* makeWakeup,
    begin
  })
  return UserExportWorker.of({ ...worker, tidy: Effect.andThen(work.settleAbandoned, rows.removeExpired) })
})

/** Takes exports from the job board and writes their archives. */
export class UserExportWorker extends Context.Service<
  UserExportWorker,
  JobWorker & {
    /**
     * Fails exports that no worker will try again, and removes expired archives. Returns how many archives it removed.
     */
    readonly tidy: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/node/userexports/UserExportWorker") {
  static readonly layer = Layer.effect(UserExportWorker, make)
}
