import { ImportRows } from "@kinora/storage/video/import/ImportRows"
import { SyncRows } from "@kinora/storage/video/sync/SyncRows"
import { SyncWork } from "@kinora/storage/video/sync/SyncWork"
import { UploadChannels } from "@kinora/storage/video/upload/UploadChannels"
import { Duration, Effect, Layer } from "effect"
import { runAs } from "../../platform/cluster/RunAs.ts"
import { runOnce } from "../../platform/cluster/Placement.ts"
import { every } from "../../platform/supervision/Every.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { ChannelSyncs } from "./ChannelSyncs.ts"
import { RunSync } from "./RunSync.ts"
import { SyncWakeups } from "./SyncWakeups.ts"
import { SyncSettings } from "./SyncSettings.ts"
import { SyncWorker } from "./SyncWorker.ts"

/** Checks that run at the same time. Most of their time is spent waiting for other servers. */
const workers = 2

/**
 * Setting up synchronisations: needs `SqlClient`, `KinoraConfig`, `JobBoard`, `FetchGuard`, `YtDlp` and `ChannelRows`.
 */
export const SyncServices = ChannelSyncs.layer.pipe(
  Layer.provide(Layer.mergeAll(SyncRows.layer, UploadChannels.layer).pipe(Layer.provideMerge(ImportRows.layer))),
  Layer.provideMerge(SyncWakeups.layer)
)

/**
 * The worker that checks channels: needs the above, `VideoImports`, `YtDlp`, `GuardedProxy`, `ProcessingSettings` and
 * the job board.
 */
export const syncWorker = SyncWorker.layer.pipe(
  Layer.provide(RunSync.layer),
  Layer.provide(Layer.mergeAll(SyncSettings.layer, SyncWork.layer, UploadChannels.layer))
)

/** Runs synchronisation workers under the supervisor. */
export const syncTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const worker = yield* SyncWorker
    yield* Effect.ignore(worker.takeBack, {
      log: "Warn",
      message: "Jobs of the last run of this node could not be taken back; they are when their leases end"
    })
    yield* runAs("worker", "synchronisation notices", worker.listen)
    for (let n = 1; n <= workers; n++) yield* runAs("worker", `synchronising ${n}`, worker.run)
    yield* supervisor.offer("synchronisations", worker.hasten)
    yield* runOnce("synchronisations without a look", every(Duration.minutes(5), worker.ensureJobs))
  })
).pipe(Layer.provide(syncWorker))
