import { Context, Effect, Layer, type Scope } from "effect"
import { mkdir, rm, statfs } from "node:fs/promises"
import { join } from "node:path"
import { UploadSettings } from "../staging/UploadSettings.ts"
import { ImportSettings } from "./ImportSettings.ts"

/** Folders for what imports fetch. What a killed process left is deleted when the layer is built. */
export class ImportFolders extends Context.Service<
  ImportFolders,
  {
    /** A new, empty folder that goes with the scope. */
    readonly make: (name: string) => Effect.Effect<string, never, Scope.Scope>
    /** Free bytes, less what must stay free. */
    readonly free: Effect.Effect<number>
  }
>()("@kinora/node/imports/ImportFolders") {
  static readonly layer = Layer.effect(
    ImportFolders,
    Effect.gen(function* () {
      const { directory } = yield* ImportSettings
      const { reserveDisk } = yield* UploadSettings
      const remove = (path: string) => Effect.promise(() => rm(path, { recursive: true, force: true }))
      yield* remove(directory)
      yield* Effect.promise(() => mkdir(directory, { recursive: true, mode: 0o700 }))
      return ImportFolders.of({
        make: (name) => {
          const folder = join(directory, name)
          return Effect.acquireRelease(
            Effect.promise(async () => {
              await rm(folder, { recursive: true, force: true })
              await mkdir(folder, { recursive: true, mode: 0o700 })
              return folder
            }),
            remove
          )
        },
        free: Effect.map(
          Effect.promise(() => statfs(directory)),
          (found) => found.bavail * found.bsize - reserveDisk
        )
      })
    })
  )
}
