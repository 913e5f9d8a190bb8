import { ImportItems } from "@kinora/storage/archive/import/ImportItems"
import { UserImportWork } from "@kinora/storage/archive/import/UserImportWork"
import { TagPolicyRows } from "@kinora/storage/people/tags/TagPolicyRows"
import { WatchedWordLists } from "@kinora/storage/people/words/WatchedWordLists"
import { WatchedWordRows } from "@kinora/storage/people/words/WatchedWordRows"
import { SubscriptionGroupLists } from "@kinora/storage/social/subscription/SubscriptionGroupLists"
import { SubscriptionRows } from "@kinora/storage/social/subscription/SubscriptionRows"
import { Duration, Effect, Layer } from "effect"
import { runAs } from "../../platform/cluster/RunAs.ts"
import { runOnce } from "../../platform/cluster/Placement.ts"
import { every } from "../../platform/supervision/Every.ts"
import { SubscriptionGroups } from "../../social/subscription/SubscriptionGroups.ts"
import { Subscriptions } from "../../social/subscription/Subscriptions.ts"
import { ArchiveFolders } from "../export/ArchiveFolders.ts"
import { uploadParts } from "../../video/upload/UploadLayer.ts"
import { ImportedLives } from "./context/ImportedLives.ts"
import { ImportedParts } from "./context/ImportedParts.ts"
import { ImportedUploads } from "./context/ImportedUploads.ts"
import { ImportSections } from "./ImportSections.ts"
import { UserImportUploads } from "./UserImportUploads.ts"
import { UserImportWorker } from "./UserImportWorker.ts"

/** Uploads of archives. Needs what uploads need, `UserImportRows` and `KinoraConfig`. */
export const UserImportServices = UserImportUploads.layer.pipe(Layer.provide(uploadParts))

/** The worker that imports archives. Needs uploads, videos, lives and people. */
export const userImportWorker = UserImportWorker.layer.pipe(
  Layer.provide(ImportSections.layer),
  Layer.provide(Layer.mergeAll(TagPolicyRows.layer, WatchedWordLists.layer, WatchedWordRows.layer)),
  Layer.provide(Layer.mergeAll(SubscriptionGroupLists.layer, SubscriptionGroups.layer)),
  Layer.provide(Subscriptions.layer.pipe(Layer.provide(SubscriptionRows.layer))),
  Layer.provide(ImportedLives.layer),
  Layer.provide(Layer.mergeAll(ImportedUploads.layer.pipe(Layer.provide(uploadParts)), ImportedParts.layer)),
  Layer.provide(Layer.mergeAll(ImportItems.layer, UserImportWork.layer, ArchiveFolders.layer))
)

/** Runs the import worker under the supervisor. */
export const userImportTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const worker = yield* UserImportWorker
    yield* Effect.ignore(worker.takeBack, {
      log: "Warn",
      message: "Jobs of the last run of this node could not be taken back; they are when their leases end"
    })
    yield* runAs("worker", "user import notices", worker.listen)
    yield* runAs("worker", "user imports", worker.run)
    yield* runOnce("abandoned user imports", every(Duration.seconds(30), worker.settleAbandoned))
  })
).pipe(Layer.provide(userImportWorker))
