import { Effect, Layer } from "effect"
import { Background } from "./app/Background.ts"
import { HttpServices } from "./app/HttpServices.ts"
import { Services } from "./app/Services.ts"
import { KinoraConfig } from "./config/Config.ts"
import { federationTasks } from "./federation/FederationServices.ts"
import { importTasks } from "./imports/ImportServices.ts"
import { MailTasks } from "./mail/MailTasks.ts"
import { NotificationTasks } from "./notifications/NotificationTasks.ts"
import { observabilityLayer } from "./observability/Observability.ts"
import { processingLayer } from "./processing/ProcessingLayer.ts"
import { runnerTasks } from "./runners/RunnerTasks.ts"
import { Supervisor } from "./supervision/Supervisor.ts"
import { syncTasks } from "./syncs/SyncServices.ts"
import { userExportTasks } from "./userexports/UserExportServices.ts"
import { userImportTasks } from "./userimports/UserImportServices.ts"
import { uploadTasks } from "./uploads/UploadLayer.ts"
import { ViewTasks } from "./views/ViewTasks.ts"

const tasks = Layer.mergeAll(
  processingLayer,
  uploadTasks,
  importTasks,
  userExportTasks,
  userImportTasks,
  syncTasks,
  runnerTasks,
  MailTasks,
  NotificationTasks,
  ViewTasks,
  federationTasks,
  Background
)

const Node = Layer.mergeAll(HttpServices, tasks).pipe(
  Layer.provideMerge(Services),
  Layer.provideMerge(Supervisor.layer),
  Layer.provideMerge(observabilityLayer),
  Layer.provideMerge(KinoraConfig.layer)
)

const run = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const supervisor = yield* Supervisor
  yield* Effect.forEach(config.derived.warnings, (warning) => Effect.logWarning(warning), { discard: true })
  yield* Effect.logInfo(
    `Kinora answers at ${config.derived.origin} (listening on ${config.listen.hostname}:${config.listen.port})`
  )
  return yield* supervisor.join
})

/** Runs the instance until it is told to stop or a task cannot live. */
export const serve = run.pipe(Effect.provide(Node))
