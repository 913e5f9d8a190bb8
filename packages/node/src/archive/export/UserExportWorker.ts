import { type DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { UserExportRows, userExportObject, userExportType } from "@kinora/storage/archive/export/UserExportRows"
import type { ExportTask } from "@kinora/storage/archive/export/sections/ExportTask"
import { UserExportWork } from "@kinora/storage/archive/export/UserExportWork"
import type { ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Cause, Context, Duration, Effect, Exit, Layer, Option, Queue, Schema } from "effect"
import { join } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { jobAfterJob, ringing, seenThrough, throughOutages } from "../../platform/jobs/JobAfterJob.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { ProcessingSettings } from "../../video/process/ProcessingSettings.ts"
import { ArchiveEntries } from "./ArchiveEntries.ts"
import { ArchiveFolders } from "./ArchiveFolders.ts"
import { writeZip } from "./ArchiveZip.ts"

const lease = Duration.minutes(1)
const heartbeatEvery = Duration.seconds(5)

const decodePayload = Schema.decodeUnknownEffect(Schema.Struct({ exportId: Schema.Int }))

type Failure = InsufficientStorage | LeaseLost | DatabaseUnavailable

/** What a user reads of a failure. */
const noRoom = "There was no room for the archive on this instance"
const died = "Something went wrong on this instance while the archive was made"

const make = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const settings = yield* ProcessingSettings
  const board = yield* JobBoard
  const upkeep = yield* JobUpkeep
  const rows = yield* UserExportRows
  const work = yield* UserExportWork
  const objects = yield* ObjectStore
  const folders = yield* ArchiveFolders
  const archive = yield* ArchiveEntries
  const mailer = yield* Mailer
  const bell = yield* Queue.sliding<void>(1)
  // A name of its own: the pipeline takes back at its start what its former self held, and may start later.
  const owner = `${settings.owner} user exports`
  const { export_expiration: keep } = config.export.users

  const announce = (task: ExportTask) =>
    mailer.enabled
      ? mailer.queue({
          _tag: "UserExportReady",
          to: task.email,
          username: task.username,
          days: Math.max(1, Math.floor(Duration.toDays(keep)))
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
      yield* work.finish(task, job.lease, { size, keep }, announce(task))
    })
    yield* Effect.onExit(store, (exit) =>
      Exit.isSuccess(exit) ? Effect.void : Effect.ignore(work.abandon(task.uuid, job.lease), { log: "Warn" })
    )
  }, Effect.scoped)

  const watch = (job: ClaimedJob, done: () => number) =>
    throughOutages(
      Effect.forever(
        Effect.delay(
          Effect.andThen(
            board.heartbeat(job.lease, lease),
            Effect.suspend(() => board.progress(job.lease, Math.min(99, 100 * done())))
          ),
          heartbeatEvery
        )
      )
    )

  const settle = Effect.fnUntraced(function* (exportId: number, job: ClaimedJob, exit: Exit.Exit<void, Failure>) {
    if (Exit.isSuccess(exit)) return
    const error = Cause.findErrorOption(exit.cause)
    if (Option.isNone(error)) {
      if (Cause.hasInterruptsOnly(exit.cause)) return yield* work.release(exportId, job.lease)
      yield* Effect.logError(`Export ${exportId} died`, exit.cause)
      return yield* work.fail(exportId, job.lease, died, false)
    }
    switch (error.value._tag) {
      case "LeaseLost":
        return yield* Effect.logInfo(`Export ${exportId} is somebody else's now`)
      case "DatabaseUnavailable":
        return yield* error.value
      case "InsufficientStorage":
        return yield* work.fail(exportId, job.lease, noRoom, false)
    }
  })

  const handle = Effect.fn("UserExportWorker.handle")(function* (
    job: ClaimedJob
  ): Effect.fn.Return<void, LeaseLost | DatabaseUnavailable> {
    const payload = yield* Effect.option(decodePayload(job.payload))
    if (Option.isNone(payload)) {
      return yield* Effect.asVoid(board.fail(job.lease, "No export is named", { final: true }))
    }
    const { exportId } = payload.value
    const task = yield* work.begin(job, exportId)
    if (Option.isNone(task)) return yield* board.complete(job.lease)
    let done = 0
    const running = run(job, task.value, (fraction) => {
      done = fraction
    })
    const watched = Effect.raceFirst(
      running,
      watch(job, () => done)
    )
    yield* seenThrough(watched, (exit) =>
      Effect.catchTag(Effect.asVoid(settle(exportId, job, exit)), "LeaseLost", () => Effect.void)
    )
  })

  const ring = Effect.asVoid(Queue.offer(bell, undefined))
  const claim = board.claim([userExportType], owner, lease)

  return UserExportWorker.of({
    run: jobAfterJob({ board, claim, handle, rung: Queue.take(bell) }),
    once: Effect.flatMap(claim, (job) =>
      Option.isNone(job) ? Effect.succeed(false) : Effect.as(handle(job.value), true)
    ),
    listen: ringing(board, ring, [userExportType]),
    takeBack: upkeep.expireLeases(owner),
    tidy: Effect.andThen(work.settleAbandoned, rows.removeExpired)
  })
})

/** Takes exports from the job board and writes their archives. */
export class UserExportWorker extends Context.Service<
  UserExportWorker,
  {
    /** Works on one export after another, for ever. An interrupted one is handed back unharmed. */
    readonly run: Effect.Effect<never>
    /** Works on one export if there is one to claim; whether there was. */
    readonly once: Effect.Effect<boolean, LeaseLost | DatabaseUnavailable>
    /** Wakes the worker when there is something to do. */
    readonly listen: Effect.Effect<never>
    /** At start: takes back what this node held when it died. */
    readonly takeBack: Effect.Effect<number, DatabaseUnavailable>
    /** Fails what nobody will work on any more, and removes archives that are too old; answers how many of these. */
    readonly tidy: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/node/userexports/UserExportWorker") {
  static readonly layer = Layer.effect(UserExportWorker, make)
}
