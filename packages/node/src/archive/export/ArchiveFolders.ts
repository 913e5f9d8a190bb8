import { Context, Effect, Layer, type Scope } from "effect"
import { mkdir, rm, statfs } from "node:fs/promises"
import { join } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"

/** Folders of archives on their way, out and in. What a killed process left is deleted when the layer is built. */
export class ArchiveFolders extends Context.Service<
  ArchiveFolders,
  {
    /** A new, empty folder that goes with the scope. */
    readonly make: (name: string) => Effect.Effect<string, never, Scope.Scope>
    /** Free bytes, less what must stay free. */
    readonly free: Effect.Effect<number>
  }
>()("@kinora/node/userexports/ArchiveFolders") {
  static readonly layer = Layer.effect(
    ArchiveFolders,
    Effect.gen(function* () {
      const { storage, uploads } = yield* KinoraConfig
      const directory = join(storage.tmp, "archives")
      const remove = (path: string) => Effect.promise(() => rm(path, { recursive: true, force: true }))
      yield* remove(directory)
      yield* Effect.promise(() => mkdir(directory, { recursive: true, mode: 0o700 }))
      return ArchiveFolders.of({
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
          (found) => found.bavail * found.bsize - uploads.reserve_disk
        )
      })
    })
  )
}
