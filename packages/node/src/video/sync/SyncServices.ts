import { ImportRows } from "@kinora/storage/video/import/ImportRows"
import { SyncRows } from "@kinora/storage/video/sync/SyncRows"
import { SyncWork } from "@kinora/storage/video/sync/SyncWork"
import { UploadChannels } from "@kinora/storage/video/upload/UploadChannels"
import { Duration, Effect, Layer } from "effect"
import { every } from "../../platform/supervision/Every.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { ChannelSyncs } from "./ChannelSyncs.ts"
import { RunSync } from "./RunSync.ts"
import { SyncBell } from "./SyncBell.ts"
import { SyncSettings } from "./SyncSettings.ts"
import { SyncWorker } from "./SyncWorker.ts"

/** Looks at the same time; most of one is waiting for others. */
const workers = 2

/** Setting synchronisations up: needs `SqlClient`, `KinoraConfig`, `JobBoard`, `FetchGuard`, `YtDlp` and `ChannelRows`. */
export const SyncServices = ChannelSyncs.layer.pipe(
  Layer.provide(SyncRows.layer.pipe(Layer.provide(ImportRows.layer))),
  Layer.provideMerge(SyncBell.layer)
)

/** What looks: needs the above, `VideoImports`, `YtDlp`, `GuardedProxy`, `ProcessingSettings` and the job board. */
export const syncWorker = SyncWorker.layer.pipe(
  Layer.provide(RunSync.layer),
  Layer.provide(Layer.mergeAll(SyncSettings.layer, SyncWork.layer, UploadChannels.layer))
)

/** Looks into channels elsewhere under the supervisor. */
export const syncTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const worker = yield* SyncWorker
    yield* Effect.ignore(worker.takeBack, { log: "Warn" })
    yield* supervisor.run("synchronisation notices", worker.listen)
    for (let n = 1; n <= workers; n++) yield* supervisor.run(`synchronising ${n}`, worker.run)
    yield* supervisor.run("synchronisations without a look", every(Duration.minutes(5), worker.ensureJobs))
  })
).pipe(Layer.provide(syncWorker))
