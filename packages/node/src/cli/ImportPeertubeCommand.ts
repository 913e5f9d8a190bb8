import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { CustomSettingRows } from "@kinora/storage/instance/settings/CustomSettingRows"
import { Config, Console, Effect, Layer, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { moveIn, type MovingOptions, refuseFolders, refuseTarget, surveyMoving } from "../instance/moving/MoveIn.ts"
import { type MovingReport, reportText, shortTables } from "../instance/moving/MovingReport.ts"
import { KinoraConfig } from "../platform/config/Config.ts"
import { diskFolders } from "../platform/folders/ObjectFolders.ts"
import { CliFailure, toCliFailure } from "./CliFailure.ts"
import { commandLogging, configLayer } from "./CommandLayers.ts"
import { emptyDatabaseLayer } from "./DatabaseLayer.ts"
import { json, printJson } from "./Output.ts"

const database = Flag.String("database").pipe(
  Flag.withMetavar("URL"),
  Flag.withDescription(
    "Database of the old instance, postgresql://user:password@host/name; it is only read. PEERTUBE_DATABASE_URL unless given"
  ),
  Flag.withFallbackConfig(Config.String("PEERTUBE_DATABASE_URL"))
)

const storage = Flag.String("storage").pipe(
  Flag.withMetavar("FOLDER"),
  Flag.withDescription(
    "Storage folder of the old instance, with web-videos, streaming-playlists and others in it. Files in an object store are fetched from their addresses"
  ),
  Flag.optional
)

const peertubeConfig = Flag.String("peertube-config").pipe(
  Flag.withMetavar("FILE"),
  Flag.withDescription(
    "Configuration file of the old instance, for its settings. May be given again: later files stand above earlier ones"
  ),
  Flag.atLeast(0)
)

const flag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

const dryRun = flag("dry-run", "Only read the old instance and report what would come, and what would not")
const link = flag(
  "link",
  "Give files on the same disk a second name in place of copying them; the old instance must not run again"
)
const acceptMissing = flag("accept-missing-files", "Go on although files are missing; what names them is left out")
const dropSecondFactors = flag(
  "drop-second-factors",
  "Go on although second factors cannot be read; these users log in with their password alone"
)

const say = (asJson: boolean, report: MovingReport) => (asJson ? printJson(report) : Console.log(reportText(report)))

const layer = Layer.mergeAll(diskFolders, FetchHttpClient.layer).pipe(Layer.provideMerge([configLayer, commandLogging]))

const survey = Effect.fnUntraced(function* (options: MovingOptions) {
  const { derived } = yield* KinoraConfig
  const report = yield* surveyMoving(options)
  // An embedded database that was never made is empty; a dry run makes none.
  const mayHoldRows = Option.isSome(derived.databaseUrl) || existsSync(join(derived.dataDir, "postgres"))
  yield* mayHoldRows ? Effect.provide(refuseTarget(options), emptyDatabaseLayer) : refuseFolders
  return report
})

const run = (options: MovingOptions) =>
  Effect.provide(moveIn(options), CustomSettingRows.layer.pipe(Layer.provideMerge(emptyDatabaseLayer)))

export const importPeertubeCommand = Command.make(
  "import-peertube",
  { database, storage, peertubeConfig, dryRun, link, acceptMissing, dropSecondFactors, json },
  (input) =>
    Effect.gen(function* () {
      const folder = Option.map(input.storage, (path) => resolve(path))
      if (Option.isSome(folder) && !existsSync(folder.value)) {
        return yield* new CliFailure({ message: `There is no folder ${folder.value}.`, exitCode: 1 })
      }
      const options: MovingOptions = {
        database: Redacted.make(input.database),
        storage: Option.getOrUndefined(folder),
        configs: input.peertubeConfig.map((path) => resolve(path)),
        link: input.link,
        acceptMissing: input.acceptMissing,
        dropSecondFactors: input.dropSecondFactors
      }
      const report = yield* (input.dryRun ? survey : run)(options)
      yield* say(input.json, report)
      if (input.dryRun) return yield* Console.error("Nothing was changed.")
      if (report.files.damaged.length > 0) {
        return yield* new CliFailure({
          message: "Files are damaged: run the command again, which brings them once more.",
          exitCode: 1
        })
      }
      const [absent] = report.files.missing
      if (absent !== undefined && !input.acceptMissing) {
        return yield* new CliFailure({
          message:
            `${report.files.missingCount} files could not be had, the ${absent.kind} ${absent.name} for example: ${absent.reason}. ` +
            "Run the command again, or go on without them by --accept-missing-files.",
          exitCode: 1
        })
      }
      const short = shortTables(report)
      if (short.length > 0) {
        return yield* new CliFailure({
          message: `Rows are missing that were written: ${short.join(", ")}. Empty the database and the folders, and begin anew.`,
          exitCode: 1
        })
      }
      yield* Console.error("The instance is imported. Start it with `kinora serve`.")
    }).pipe(Effect.provide(layer), toCliFailure)
).pipe(
  Command.withDescription(
    "Import a PeerTube instance, its database and its files, into an instance that is empty, has the same public address and does not " +
      "run. The old instance is only read, and must be stopped. A run that was interrupted is continued by the next. See docs/moving-in.md."
  ),
  Command.withShortDescription("Import a PeerTube instance"),
  Command.withExamples([
    {
      command:
        "kinora import-peertube --dry-run --database postgresql://localhost/peertube --storage /var/www/peertube/storage",
      description: "Report what would come"
    },
    {
      command: "kinora import-peertube --database postgresql://localhost/peertube --storage /var/www/peertube/storage",
      description: "Import it"
    }
  ])
)
