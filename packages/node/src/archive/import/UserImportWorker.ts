import { importSections } from "@kinora/domain/enums/UserArchiveState"
import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { type ImportSummary, userImportObject, userImportType } from "@kinora/storage/archive/import/UserImportRows"
import { type UserImportTask, UserImportWork } from "@kinora/storage/archive/import/UserImportWork"
import { Cause, Context, Duration, Effect, Exit, Layer, Option, Queue, Schema, Stream } from "effect"
import { join } from "node:path"
import { jobAfterJob, ringing, seenThrough, throughOutages } from "../../platform/jobs/JobAfterJob.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { ProcessingSettings } from "../../video/process/ProcessingSettings.ts"
import { openUploadFile } from "../../platform/body/UploadFile.ts"
import { ArchiveFolders } from "../export/ArchiveFolders.ts"
import { openArchive } from "./context/Archive.ts"
import { ArchiveRefused } from "./context/ArchiveRefused.ts"
import { ImportSections } from "./ImportSections.ts"
import { importResults } from "./ImportWords.ts"

const lease = Duration.minutes(1)
const heartbeatEvery = Duration.seconds(5)

const decodePayload = Schema.decodeUnknownEffect(Schema.Struct({ importId: Schema.Int }))

type Failure = ArchiveRefused | InsufficientStorage | LeaseLost | DatabaseUnavailable

const noRoom = "There was no room for the archive on this instance"
const died = "Something went wrong on this instance while the archive was imported"

/** The user as requests have them. Nobody is logged in: sessions are none of an import's business. */
const userOf = (task: UserImportTask): CurrentUserShape =>
  ({
    id: task.userId,
    username: task.username,
    role: task.role,
    adminFlags: task.adminFlags,
    accountId: task.accountId,
    accountName: task.accountName,
    videoQuota: Number(task.videoQuota),
    videoQuotaDaily: Number(task.videoQuotaDaily),
    nsfw: { policy: null, flagsHidden: 0, flagsListed: 0 },
    tokenId: 0
  }) as CurrentUserShape

const make = Effect.gen(function* () {
  const settings = yield* ProcessingSettings
  const board = yield* JobBoard
  const upkeep = yield* JobUpkeep
  const work = yield* UserImportWork
  const objects = yield* ObjectStore
  const folders = yield* ArchiveFolders
  const sections = yield* ImportSections
  const mailer = yield* Mailer
  const bell = yield* Queue.sliding<void>(1)
  // A name of its own: the pipeline takes back at its start what its former self held, and may start later.
  const owner = `${settings.owner} user imports`

  const finished = ({ email, username }: UserImportTask, summary: ImportSummary) =>
    mailer.enabled
      ? mailer.queue({ _tag: "UserImportFinished", to: email, username, results: importResults(summary) })
      : Effect.void

  const failed = ({ email, username }: UserImportTask, reason: string) =>
    mailer.enabled ? mailer.queue({ _tag: "UserImportFailed", to: email, username, reason }) : Effect.void

  /** The file behind the archive, or a copy of it where the store has none. */
  const fileOf = Effect.fnUntraced(function* (uuid: string, folder: string) {
    const key = userImportObject(uuid)
    const there = yield* Effect.option(objects.stat(key))
    if (Option.isNone(there)) return yield* new ArchiveRefused({ message: "The archive is gone" })
    const local = objects.localPath(key)
    if (Option.isSome(local)) return local.value
    const path = join(folder, "archive.zip")
    const copy = yield* openUploadFile(path, 0)
    yield* Stream.runForEach(Stream.orDie(objects.openRead(key)), (chunk) => copy.write(chunk))
    return path
  })

  const run = Effect.fn("UserImportWorker.run")(function* (job: ClaimedJob, task: UserImportTask) {
    if (task.blocked) return yield* new ArchiveRefused({ message: "The account was blocked" })
    const folder = yield* folders.make(`${job.uuid}-${job.attempt}`)
    const archive = yield* openArchive(yield* fileOf(task.uuid, folder))
    const context = { task, user: userOf(task), archive, folder, used: new Set<string>() }
    let summary: ImportSummary = {}
    for (const section of importSections) {
      summary = { ...summary, [section]: yield* sections.run(context, section) }
      yield* work.note(task.importId, job.lease, summary)
    }
    yield* work.finish(task.importId, job.lease, summary, finished(task, summary))
  }, Effect.scoped)

  const watch = (job: ClaimedJob) =>
    throughOutages(Effect.forever(Effect.delay(board.heartbeat(job.lease, lease), heartbeatEvery)))

  const settle = Effect.fnUntraced(function* (job: ClaimedJob, task: UserImportTask, exit: Exit.Exit<void, Failure>) {
    if (Exit.isSuccess(exit)) return
    const { importId } = task
    const error = Cause.findErrorOption(exit.cause)
    const fail = (sentence: string, final: boolean) =>
      work.fail(importId, job.lease, { error: sentence, final }, failed(task, sentence))
    if (Option.isNone(error)) {
      if (Cause.hasInterruptsOnly(exit.cause)) return yield* work.release(importId, job.lease)
      yield* Effect.logError(`Import ${importId} of a user died`, exit.cause)
      return yield* fail(died, false)
    }
    switch (error.value._tag) {
      case "LeaseLost":
        return yield* Effect.logInfo(`Import ${importId} of a user is somebody else's now`)
      case "DatabaseUnavailable":
        return yield* error.value
      case "InsufficientStorage":
        return yield* fail(noRoom, false)
      case "ArchiveRefused":
        return yield* fail(error.value.message, true)
    }
  })

  const handle = Effect.fn("UserImportWorker.handle")(function* (
    job: ClaimedJob
  ): Effect.fn.Return<void, LeaseLost | DatabaseUnavailable> {
    const payload = yield* Effect.option(decodePayload(job.payload))
    if (Option.isNone(payload)) {
      return yield* Effect.asVoid(board.fail(job.lease, "No import is named", { final: true }))
    }
    const task = yield* work.begin(job, payload.value.importId)
    if (Option.isNone(task)) return yield* board.complete(job.lease)
    yield* seenThrough(Effect.raceFirst(run(job, task.value), watch(job)), (exit) =>
      Effect.catchTag(Effect.asVoid(settle(job, task.value, exit)), "LeaseLost", () => Effect.void)
    )
  })

  const claim = board.claim([userImportType], owner, lease)

  return UserImportWorker.of({
    run: jobAfterJob({ board, claim, handle, rung: Queue.take(bell) }),
    once: Effect.flatMap(claim, (job) =>
      Option.isNone(job) ? Effect.succeed(false) : Effect.as(handle(job.value), true)
    ),
    listen: ringing(board, Effect.asVoid(Queue.offer(bell, undefined)), [userImportType]),
    takeBack: upkeep.expireLeases(owner),
    settleAbandoned: work.settleAbandoned
  })
})

/** Takes imports of archives from the job board and sees them through, one at a time. */
export class UserImportWorker extends Context.Service<
  UserImportWorker,
  {
    /** Works on one import after another, for ever. An interrupted one is handed back unharmed. */
    readonly run: Effect.Effect<never>
    /** Works on one import if there is one to claim; whether there was. */
    readonly once: Effect.Effect<boolean, LeaseLost | DatabaseUnavailable>
    /** Wakes the worker when there is something to do. */
    readonly listen: Effect.Effect<never>
    /** At start: takes back what this node held when it died. */
    readonly takeBack: Effect.Effect<number, DatabaseUnavailable>
    /** Fails imports nobody will work on any more: each attempt at them ended its worker. */
    readonly settleAbandoned: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/node/userimports/UserImportWorker") {
  static readonly layer = Layer.effect(UserImportWorker, make)
}
