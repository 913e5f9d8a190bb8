import { Context, Effect, Layer } from "effect"
import { join } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { makeTemporaryFolders, type TemporaryFolders } from "../../platform/folders/TemporaryFolders.ts"

/** Folders for archives that are being written or read. */
export class ArchiveFolders extends Context.Service<ArchiveFolders, TemporaryFolders>()(
  "@kinora/node/userexports/ArchiveFolders"
) {
  static readonly layer = Layer.effect(
    ArchiveFolders,
    Effect.flatMap(KinoraConfig, ({ storage, uploads }) =>
      makeTemporaryFolders(join(storage.tmp, "archives"), uploads.reserve_disk)
    )
  )
}
