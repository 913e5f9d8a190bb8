import type { ClaimedJob } from "@kinora/storage/platform/jobs/Job"
import { Context, Effect, Layer, type Scope } from "effect"
import { makeTemporaryFolders } from "../../platform/folders/TemporaryFolders.ts"
import { ProcessingSettings } from "./ProcessingSettings.ts"

/** Folders for the files of an attempt before they are stored. */
export class WorkFolders extends Context.Service<
  WorkFolders,
  {
    /** Makes an empty folder for an attempt. It is removed when the scope closes. */
    readonly make: (job: Pick<ClaimedJob, "uuid" | "attempt">) => Effect.Effect<string, never, Scope.Scope>
  }
>()("@kinora/node/processing/WorkFolders") {
  static readonly layer = Layer.effect(
    WorkFolders,
    Effect.gen(function* () {
      const { workDirectory } = yield* ProcessingSettings
      const folders = yield* makeTemporaryFolders(workDirectory)
      return WorkFolders.of({ make: ({ attempt, uuid }) => folders.make(`${uuid}-${attempt}`) })
    })
  )
}
