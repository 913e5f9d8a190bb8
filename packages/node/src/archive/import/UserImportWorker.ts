import { importSections } from "@kinora/domain/enums/UserArchiveState"
import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { ClaimedJob } from "@kinora/storage/platform/jobs/Job"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { type ImportSummary, userImportObject, userImportType } from "@kinora/storage/archive/import/UserImportRows"
import { type UserImportTask, UserImportWork } from "@kinora/storage/archive/import/UserImportWork"
import { Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { type JobAttempt, type JobWorker, makeJobWorker } from "../../platform/jobs/JobWorker.ts"
import { makeWakeup } from "../../platform/jobs/Wakeup.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { ProcessingSettings } from "../../video/process/ProcessingSettings.ts"
import { ArchiveFolders } from "../export/ArchiveFolders.ts"
import { openArchive } from "./context/Archive.ts"
import { ArchiveRefused } from "./context/ArchiveRefused.ts"
import { ImportSections } from "./ImportSections.ts"
import { importResults } from "./ImportReport.ts"

const heartbeatEvery = Duration.seconds(5)

const decodePayload = Schema.decodeUnknownOption(Schema.Struct({ importId: Schema.Int }))

type Failure = ArchiveRefused | InsufficientStorage

const diskFull = "This instance had not enough disk space for the archive"
const died = "Something went wrong on this instance while the archive was imported"

/** The user in the shape that requests use. It has no session: an import does not log anybody in. */
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
  const work = yield* UserImportWork
  const objects = yield* ObjectStore
  const folders = yield* ArchiveFolders
  const sections = yield* ImportSections
  const mailer = yield* Mailer

  const finished = ({ email, username }: UserImportTask, summary: ImportSummary) =>
    mailer.enabled
      ? mailer.queue({ _tag: "UserImportFinished", to: email, username, results: importResults(summary) })
      : Effect.void

  const failed = ({ email, username }: UserImportTask, reason: string) =>
    mailer.enabled ? mailer.queue({ _tag: "UserImportFailed", to: email, username, reason }) : Effect.void

  /** The local file of the archive, or a copy of one in object storage. */
  const fileOf = (uuid: string, folder: string) =>
    Effect.catchTag(objects.localFile(userImportObject(uuid), folder), "ObjectNotFound", () =>
      Effect.fail(new ArchiveRefused({ message: "The archive is gone" }))
    )

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

  const begin = Effect.fnUntraced(function* (job: ClaimedJob) {
    const payload = decodePayload(job.payload)
    if (Option.isNone(payload)) return "unreadable"
    return Option.map(yield* work.begin(job, payload.value.importId), (task): JobAttempt<Failure> => {
      const fail = (sentence: string, final: boolean) =>
        work.fail(task.importId, job.lease, { error: sentence, final }, failed(task, sentence))
      return {
        work: () => run(job, task),
        release: work.release(task.importId, job.lease),
        fail: (error) => {
          if (error === undefined) return fail(died, false)
          return error._tag === "InsufficientStorage" ? fail(diskFull, false) : fail(error.message, true)
        }
      }
    })
  })

  const worker = yield* makeJobWorker({
    types: [userImportType],
    // A separate owner name: the video pipeline releases the jobs of its own name when it starts, which may be later.
    owner: `${settings.owner} user imports`,
    heartbeatEvery,
    wakeup: yield* makeWakeup,
    begin
  })
  return UserImportWorker.of({ ...worker, settleAbandoned: work.settleAbandoned })
})

/** Claims archive imports from the job board and runs them, one at a time. */
export class UserImportWorker extends Context.Service<
  UserImportWorker,
  JobWorker & {
    /** Fails imports that no worker will try again: every attempt ended with its worker's process. */
    readonly settleAbandoned: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/node/userimports/UserImportWorker") {
  static readonly layer = Layer.effect(UserImportWorker, make)
}
