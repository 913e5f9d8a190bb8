import { holdsInstance } from "@kinora/storage/instance/backup/DatabaseRestore"
import { finishMoving, finishRows } from "@kinora/storage/instance/moving/MovingFinish"
import { moveRows, movingProgress } from "@kinora/storage/instance/moving/MovingRows"
import { beginMoving, movingState } from "@kinora/storage/instance/moving/MovingState"
import { movingSteps } from "@kinora/storage/instance/moving/MovingSteps"
import { targetOf } from "@kinora/storage/instance/moving/steps/MovingStep"
import { openSource, type SourceDatabase } from "@kinora/storage/instance/moving/SourceDatabase"
import { migrate } from "@kinora/storage/platform/migrations/Migrations"
import { prepareReadModels } from "@kinora/storage/video/read/ReadModelVersion"
import { Console, Data, Effect, type Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statfs } from "node:fs/promises"
import { join } from "node:path"
import { newClientId, newClientSecret } from "../../people/session/RandomText.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { existingData } from "../../platform/folders/ExistingData.ts"
import { lockFolder } from "../../platform/folders/FolderLock.ts"
import { restoreFinished } from "../../platform/folders/RestoreFinished.ts"
import { makeTemporaryFolders } from "../../platform/folders/TemporaryFolders.ts"
import { usableFolder } from "../../platform/folders/UsableFolder.ts"
import { SecretBox } from "../../platform/secrets/SecretBox.ts"
import { inUnits, makeProgress } from "../backup/Progress.ts"
import { type FileCounts, moveFiles, surveyFiles, verifyFiles } from "./MoveFiles.ts"
import type { FileSourceOptions } from "./FileSource.ts"
import { moveSettings, readOldSettings } from "./MoveSettings.ts"
import { type MovingReport, shortTables, type TableReport } from "./MovingReport.ts"
import { rowSeals } from "./RowSeals.ts"
import { checkOrigin, identify, type OldInstance, surveyTables, surveyUsers } from "./Survey.ts"

/** The import cannot begin, or its result is not what it should be. `message` says why and what to do. */
export class MovingProblem extends Data.TaggedError("MovingProblem")<{ readonly message: string }> {}

export interface MovingOptions extends FileSourceOptions {
  readonly database: Redacted.Redacted
  /** Configuration files of the old instance, the base first. */
  readonly configs: ReadonlyArray<string>
  /** Goes on although second factors that the old program sealed are lost. */
  readonly dropSecondFactors: boolean
}

const names = (users: ReadonlyArray<string>): string =>
  users.slice(0, 20).join(", ") + (users.length > 20 ? ` and ${users.length - 20} more` : "")

const sessionsNote = "Sessions do not come: users log in again, with their old passwords."

/** Everything about users that an operator has to know. */
const userNotes = ({ duplicates, secondFactors, withoutPassword }: Effect.Success<ReturnType<typeof surveyUsers>>) => [
  sessionsNote,
  ...(secondFactors.length === 0
    ? []
    : [`The second factors of ${names(secondFactors)} do not come: the old program has sealed them with its secret.`]),
  ...(withoutPassword.length === 0
    ? []
    : [`${names(withoutPassword)} have no password that can be verified here: they ask for a new one by mail.`]),
  ...(duplicates.length === 0
    ? []
    : [`The email addresses of ${names(duplicates)} differ from others in upper and lower case only, and get a mark.`])
]

const survey = Effect.fnUntraced(function* (source: SourceDatabase, instance: OldInstance, options: MovingOptions) {
  const users = yield* surveyUsers(source)
  const files = yield* surveyFiles(source, options)
  return { instance, users, files, tables: yield* surveyTables(source) }
})

type Surveyed = Effect.Success<ReturnType<typeof survey>>

const fileReport = (
  { bytes, files, missing, missingCount }: FileCounts,
  checked: { verified: number; damaged: ReadonlyArray<string> }
) => ({
  ...{ files, bytes, missing, missingCount },
  ...checked
})

/** Reads everything that would be brought, and writes nothing. */
export const surveyMoving = Effect.fn("MoveIn.survey")(function* (options: MovingOptions) {
  const source = yield* openSource(options.database)
  const instance = yield* identify(source)
  yield* checkOrigin(instance)
  const found = yield* survey(source, instance, options)
  const tables = yield* Effect.forEach(
    movingSteps,
    Effect.fnUntraced(function* (step) {
      const rows = yield* source.rowsOf(step)
      const table: TableReport = { table: step.name, rows, written: null, present: null, refused: [] }
      return table
    })
  )
  const settings = options.configs.length === 0 ? null : yield* readOldSettings(options.configs)
  const report: MovingReport = {
    origin: instance.origin,
    dryRun: true,
    tables,
    ...found.tables,
    files: fileReport(found.files, { verified: 0, damaged: [] }),
    settings:
      settings === null ? null : { carried: [...settings.values.keys()].sort(), leftBehind: settings.leftBehind },
    notes: userNotes(found.users)
  }
  return report
}, Effect.scoped)

/** The import that this database has begun; undefined where it holds nothing. Refuses one that holds another instance. */
const begunMoving = Effect.fn("MoveIn.begun")(function* (instance: OldInstance) {
  const sql = yield* SqlClient
  const isThere = yield* sql<{ there: boolean }>`select to_regclass('moving_in') is not null as there`
  const state = isThere[0]!.there ? yield* movingState : undefined
  if (state === undefined) {
    if (!(yield* holdsInstance())) return undefined
    return yield* new MovingProblem({
      message: "The database holds an instance already. Another instance is imported into an empty database."
    })
  }
  if (state.source !== instance.digest) {
    return yield* new MovingProblem({
      message:
        "The import of another instance was begun in this database. Give that one, or begin with an empty database."
    })
  }
  if (state.state === "done") {
    return yield* new MovingProblem({ message: "This instance was imported already. Start it with `kinora serve`." })
  }
  return state
})

/** Refuses folders of an instance, and changes nothing. */
export const refuseFolders = Effect.gen(function* () {
  const found = yield* existingData(yield* KinoraConfig)
  if (found === undefined) return
  return yield* new MovingProblem({
    message: `There is an instance already: ${found}. Another one is imported into empty folders. Set KINORA_DATA_DIR to a new one.`
  })
})

/** Refuses a database that the old instance cannot be imported into, and changes nothing. */
export const refuseTarget = Effect.fn("MoveIn.refuseTarget")(function* (options: MovingOptions) {
  const begun = yield* begunMoving(yield* identify(yield* openSource(options.database)))
  if (begun === undefined) yield* refuseFolders
}, Effect.scoped)

/** What has to be right before the first row is written. */
const checkBeginning = Effect.fnUntraced(function* ({ files, users }: Surveyed, options: MovingOptions) {
  const { derived } = yield* KinoraConfig
  yield* refuseFolders
  if (files.missingCount > 0 && !options.acceptMissing) {
    const { kind, name, reason } = files.missing[0]!
    return yield* new MovingProblem({
      message:
        `${files.missingCount} files are missing, the ${kind} ${name} for example: ${reason}. --dry-run lists them. ` +
        "Bring them, or go on without them by --accept-missing-files."
    })
  }
  if (users.secondFactors.length > 0 && !options.dropSecondFactors) {
    return yield* new MovingProblem({
      message:
        `${users.secondFactors.length} users have a second factor that cannot be read, since the old program has sealed it: ` +
        `${names(users.secondFactors)}. Add --drop-second-factors to let them log in with their password alone, and ask them to set it up again.`
    })
  }
  if (options.link) return
  const disk = yield* Effect.promise(() => statfs(derived.dataDir))
  const free = disk.bavail * disk.bsize
  if (free < files.bytes) {
    return yield* new MovingProblem({
      message:
        `The files take ${inUnits(files.bytes)}, and ${derived.dataDir} has ${inUnits(free)} free. Make room first, or add --link ` +
        "if the old files are on the same disk."
    })
  }
})

const moveAllRows = Effect.fnUntraced(function* (source: SourceDatabase) {
  const seals = yield* rowSeals.pipe(Effect.provide(SecretBox.layer))
  let rows = 0
  for (const step of movingSteps) {
    yield* moveRows(source, step, seals, (more) =>
      Effect.suspend(() => {
        const before = Math.floor(rows / 100_000)
        rows += more
        return Math.floor(rows / 100_000) > before ? Console.error(`Importing rows: ${rows}`) : Effect.void
      })
    )
  }
  yield* finishRows({ id: newClientId(), secret: newClientSecret() })
})

/** What every step came to, compared with the old database and the new one. */
const reportTables = Effect.fnUntraced(function* (source: SourceDatabase) {
  const sql = yield* SqlClient
  const progress = new Map((yield* movingProgress).map((one) => [one.step, one]))
  return yield* Effect.forEach(
    movingSteps,
    Effect.fnUntraced(function* (step) {
      const { refused, rowsWritten } = progress.get(step.name) ?? { refused: [], rowsWritten: 0 }
      const target = targetOf(step)
      const counted =
        target === undefined ? [] : yield* sql<{ count: number }>`select count(*) as count from ${sql(target)}`
      const table: TableReport = {
        table: step.name,
        rows: yield* source.rowsOf(step),
        written: rowsWritten,
        present: target === undefined || target === "instance_setting" ? null : (counted[0]?.count ?? null),
        refused
      }
      return table
    })
  )
})

/**
 * Imports the old instance into an empty database and empty folders that no node runs over, verifies it, and reports. A run that was
 * killed is followed by another, which goes on where that ended.
 */
export const moveIn = Effect.fn("MoveIn.run")(function* (options: MovingOptions) {
  const { derived, storage } = yield* KinoraConfig
  for (const used of [derived.dataDir, storage.tmp]) yield* usableFolder(used)
  yield* lockFolder(storage.tmp)
  yield* restoreFinished(derived.dataDir)
  const source = yield* openSource(options.database)
  const instance = yield* identify(source)
  yield* checkOrigin(instance)
  const begun = yield* begunMoving(instance)
  const found = yield* survey(source, instance, options)
  if (begun === undefined) {
    yield* checkBeginning(found, options)
    yield* migrate({ backupsDirectory: undefined })
    yield* prepareReadModels(derived.origin)
    yield* beginMoving(instance.digest)
  } else yield* Console.error("A former run did not finish: this one goes on where it ended.")
  if (begun?.state !== "files") {
    yield* Console.error("Importing rows")
    yield* moveAllRows(source)
  }
  const settings = options.configs.length === 0 ? null : yield* moveSettings(options.configs)
  const work = yield* (yield* makeTemporaryFolders(join(storage.tmp, "import"))).make("files")
  yield* Console.error(`Importing ${found.files.files} files, ${inUnits(found.files.bytes)}`)
  const files = yield* moveFiles(source, options, work, yield* makeProgress("Importing files", found.files.bytes))
  yield* Console.error("Verifying")
  const checked = yield* verifyFiles(yield* makeProgress("Verifying files", files.bytes))
  const report: MovingReport = {
    origin: instance.origin,
    dryRun: false,
    tables: yield* reportTables(source),
    ...found.tables,
    files: fileReport(files, checked),
    settings,
    notes: userNotes(found.users)
  }
  // A damaged file is fetched again by the next run.
  const isWhole = checked.damaged.length === 0 && shortTables(report).length === 0
  if (isWhole && (files.missingCount === 0 || options.acceptMissing)) yield* finishMoving
  return report
}, Effect.scoped)
