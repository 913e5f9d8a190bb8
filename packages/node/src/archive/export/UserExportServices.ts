import { ExportReads } from "@kinora/storage/archive/export/ExportReads"
import { UserExportRows } from "@kinora/storage/archive/export/UserExportRows"
import { UserExportWork } from "@kinora/storage/archive/export/UserExportWork"
import { Duration, Effect, Layer } from "effect"
import { runAs } from "../../platform/cluster/RunAs.ts"
import { periodicOnce } from "../../platform/cluster/PeriodicOnce.ts"
import { ArchiveEntries } from "./ArchiveEntries.ts"
import { ArchiveFolders } from "./ArchiveFolders.ts"
import { UserExportLinks } from "./UserExportLinks.ts"
import { UserExports } from "./UserExports.ts"
import { UserExportWorker } from "./UserExportWorker.ts"

/** Requests for archives. Needs `SqlClient`, `KinoraConfig`, `JobBoard`, `InstanceSettings` and `LoginRows`. */
export const UserExportServices = UserExports.layer.pipe(
  Layer.provide(UserExportLinks.layer),
  Layer.provideMerge(UserExportRows.layer)
)

/** The worker that writes archives. Needs the above, `MyUserReads`, the object store and `Mailer`. */
export const userExportWorker = UserExportWorker.layer.pipe(
  Layer.provide(ArchiveEntries.layer),
  Layer.provide(Layer.mergeAll(ExportReads.layer, UserExportWork.layer, ArchiveFolders.layer))
)

/** Runs the export worker under the supervisor. */
export const userExportTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const worker = yield* UserExportWorker
    yield* Effect.ignore(worker.takeBack, {
      log: "Warn",
      message: "Jobs of the last run of this node could not be taken back; they are when their leases end"
    })
    yield* runAs("worker", "user export notices", worker.listen)
    yield* runAs("worker", "user exports", worker.run)
    yield* periodicOnce("old user exports", Duration.minutes(1), worker.tidy)
  })
).pipe(Layer.provide(userExportWorker))
