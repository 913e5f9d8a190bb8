import { Context, Effect, Layer } from "effect"
import { makeTemporaryFolders, type TemporaryFolders } from "../../platform/folders/TemporaryFolders.ts"
import { UploadSettings } from "../staging/UploadSettings.ts"
import { ImportSettings } from "./ImportSettings.ts"

/** Folders for the files that imports fetch. */
export class ImportFolders extends Context.Service<ImportFolders, TemporaryFolders>()(
  "@kinora/node/imports/ImportFolders"
) {
  static readonly layer = Layer.effect(
    ImportFolders,
    Effect.gen(function* () {
      const { directory } = yield* ImportSettings
      const { reserveDisk } = yield* UploadSettings
      return yield* makeTemporaryFolders(directory, reserveDisk)
    })
  )
}
