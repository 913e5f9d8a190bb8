import { Duration, Effect, Layer } from "effect"
import { geteuid } from "node:process"
import { Background } from "./Background.ts"
import { UsableFolders, WorkFolderLock } from "./Folders.ts"
import { HttpServices } from "./HttpServices.ts"
import { rootNotice } from "./RootNotice.ts"
import { Services } from "./Services.ts"
import { KinoraConfig } from "../platform/config/Config.ts"
import { SetUpNotice } from "../instance/about/FirstStart.ts"
import { federationTasks } from "../federation/services/FederationServices.ts"
import { importTasks } from "../video/import/ImportServices.ts"
import { MailTasks } from "../platform/mail/MailTasks.ts"
import { MailingTask } from "../instance/mailing/MailingTask.ts"
import { NotificationTasks } from "../social/notification/NotificationTasks.ts"
import { observabilityLayer } from "../platform/observability/Observability.ts"
import { liveLayer, processingLayer } from "./ProcessingLayer.ts"
import { SettingsListener } from "../instance/settings/SettingsListener.ts"
import { Sampling } from "../instance/stats/Sampling.ts"
import { SettleOriginals } from "../instance/moves/SettleOriginals.ts"
import { StorageSweep } from "../instance/upkeep/StorageSweep.ts"
import { runnerTasks } from "../runner/RunnerTasks.ts"
import { allowForStop } from "../platform/supervision/LastResort.ts"
import { StopLimit, Supervisor } from "../platform/supervision/Supervisor.ts"
import { moderationTasks } from "../social/tagging/ModerationTasks.ts"
import { subscriptionTasks } from "../people/subscription/SubscriptionTasks.ts"
import { syncTasks } from "../video/sync/SyncServices.ts"
import { userExportTasks } from "../archive/export/UserExportServices.ts"
import { userImportTasks } from "../archive/import/UserImportServices.ts"
import { uploadTasks } from "../video/upload/UploadLayer.ts"
import { ViewTasks } from "../video/view/ViewTasks.ts"

const tasks = Layer.mergeAll(
  processingLayer,
  liveLayer,
  uploadTasks,
  importTasks,
  userExportTasks,
  userImportTasks,
  syncTasks,
  subscriptionTasks,
  moderationTasks,
  runnerTasks,
  MailTasks,
  NotificationTasks,
  ViewTasks,
  federationTasks,
  StorageSweep,
  SettleOriginals,
  Sampling,
  SettingsListener,
  MailingTask,
  Background
)

/** What is left to do when requests and tasks have had their time: the database is closed. */
const closingMillis = 3000

const supervision = Supervisor.layer.pipe(
  Layer.provide(
    Layer.effect(
      StopLimit,
      Effect.map(KinoraConfig, ({ http: { shutdown_timeout: limit } }) => {
        allowForStop(Duration.toMillis(limit) + closingMillis)
        return limit
      })
    )
  )
)

/**
 * The whole node, over its configuration. It listens before the tasks begin: each of them first looks for what is left
 * to do, and who waits for an answer would wait for all of them.
 */
export const Program = tasks.pipe(
  Layer.provideMerge(HttpServices),
  Layer.provideMerge(Services),
  Layer.provideMerge(supervision),
  Layer.provideMerge(WorkFolderLock),
  Layer.provideMerge(observabilityLayer),
  Layer.provideMerge(UsableFolders)
)

const Node = Program.pipe(Layer.provideMerge(KinoraConfig.layer))

const run = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const supervisor = yield* Supervisor
  yield* Effect.forEach(config.derived.warnings, (warning) => Effect.logWarning(warning), { discard: true })
  const runsAsRoot = rootNotice(geteuid?.(), config.derived.dataDir)
  if (runsAsRoot !== undefined) yield* Effect.logInfo(runsAsRoot)
  yield* Effect.logInfo(
    `Kinora answers at ${config.derived.origin} (listening on ${config.listen.hostname}:${config.listen.port})`
  )
  // Last, where it is seen.
  yield* (yield* SetUpNotice).show
  return yield* supervisor.join
})

/** Runs the instance until it is asked to stop or a task cannot live. */
export const serve = run.pipe(Effect.provide(Node))
