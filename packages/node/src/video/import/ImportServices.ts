import { ImportRows } from "@kinora/storage/video/import/ImportRows"
import { ImportWork } from "@kinora/storage/video/import/ImportWork"
import { UploadChannels } from "@kinora/storage/video/upload/UploadChannels"
import { VideoCreation } from "@kinora/storage/video/write/VideoCreation"
import { Duration, Effect, Layer } from "effect"
import { runAs } from "../../platform/cluster/RunAs.ts"
import { runOnce } from "../../platform/cluster/Placement.ts"
import { superviseWorkers } from "../../platform/jobs/Workers.ts"
import { every } from "../../platform/supervision/Every.ts"
import { UploadSettings } from "../staging/UploadSettings.ts"
import { ImportWakeups } from "./ImportWakeups.ts"
import { ImportDownloads } from "./ImportDownloads.ts"
import { ImportFolders } from "./ImportFolders.ts"
import { ImportSettings } from "./ImportSettings.ts"
import { ImportWorker } from "./ImportWorker.ts"
import { RunImport } from "./RunImport.ts"
import { VideoImports } from "./VideoImports.ts"

const rows = Layer.mergeAll(ImportRows.layer, UploadChannels.layer, VideoCreation.layer, UploadSettings.layer)

/**
 * Requests for imports: needs `SqlClient`, `KinoraConfig`, `JobBoard`, `FetchGuard`, `MyImports`, and what changes
 * videos (`VideoServices`).
 */
export const ImportServices = VideoImports.layer.pipe(
  Layer.provide(rows),
  Layer.provideMerge(Layer.mergeAll(ImportWakeups.layer, ImportSettings.layer))
)

/**
 * The worker that fetches videos: needs the above, media, `YtDlp`, `TorrentDownloads`, the fetcher and the object
 * store.
 */
export const importWorker = ImportWorker.layer.pipe(
  Layer.provide(RunImport.layer),
  Layer.provide(Layer.mergeAll(ImportDownloads.layer, ImportFolders.layer, ImportWork.layer))
)

/** Runs import workers under the supervisor. */
export const importTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const settings = yield* ImportSettings
    const worker = yield* ImportWorker
    yield* Effect.ignore(worker.takeBack, {
      log: "Warn",
      message: "Jobs of the last run of this node could not be taken back; they are when their leases end"
    })
    yield* runAs("worker", "import notices", worker.listen)
    yield* superviseWorkers("importing", () => settings.concurrency, worker.run)
    yield* runOnce("abandoned imports", every(Duration.seconds(30), worker.settleAbandoned))
  })
).pipe(Layer.provide(importWorker))
