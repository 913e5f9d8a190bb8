import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, type Scope } from "effect"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { onDisk } from "../../platform/body/UploadFile.ts"

/**
 * Temporary folders for uploaded files of one request. What a killed process left is deleted when the layer is built.
 */
export class ScratchFolders extends Context.Service<
  ScratchFolders,
  {
    /** Path of a new, empty folder, which is deleted when the scope closes. */
    readonly make: Effect.Effect<string, InsufficientStorage, Scope.Scope>
  }
>()("@kinora/node/edit/ScratchFolders") {
  static readonly layer = Layer.effect(
    ScratchFolders,
    Effect.gen(function* () {
      const parent = join((yield* KinoraConfig).storage.tmp, "edits")
      const remove = (path: string) => Effect.promise(() => rm(path, { recursive: true, force: true }))
      yield* remove(parent)
      return ScratchFolders.of({
        make: Effect.acquireRelease(
          onDisk(async () => {
            await mkdir(parent, { recursive: true, mode: 0o700 })
            return await mkdtemp(join(parent, "edit-"))
          }),
          remove
        )
      })
    })
  )
}
