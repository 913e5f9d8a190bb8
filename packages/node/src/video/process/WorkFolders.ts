import type { ClaimedJob } from "@kinora/storage/platform/jobs/Job"
import { Context, Effect, Layer, type Scope } from "effect"
import { mkdir, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { ProcessingSettings } from "./ProcessingSettings.ts"

/** Folders for the files an attempt at a job makes before they are stored. */
export class WorkFolders extends Context.Service<
  WorkFolders,
  {
    /** A new, empty folder that goes with the scope. */
    readonly make: (job: Pick<ClaimedJob, "uuid" | "attempt">) => Effect.Effect<string, never, Scope.Scope>
  }
>()("@kinora/node/processing/WorkFolders") {
  /** What a killed process left in the folder is deleted when the layer is built. */
  static readonly layer = Layer.effect(
    WorkFolders,
    Effect.gen(function* () {
      const { workDirectory } = yield* ProcessingSettings
      yield* Effect.promise(async () => {
        await mkdir(workDirectory, { recursive: true, mode: 0o700 })
        for (const name of await readdir(workDirectory)) {
          await rm(join(workDirectory, name), { recursive: true, force: true })
        }
      })
      return WorkFolders.of({
        make: (job) =>
          Effect.acquireRelease(
            Effect.promise(async () => {
              const folder = join(workDirectory, `${job.uuid}-${job.attempt}`)
              await rm(folder, { recursive: true, force: true })
              await mkdir(folder, { mode: 0o700 })
              return folder
            }),
            (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
          )
      })
    })
  )
}
