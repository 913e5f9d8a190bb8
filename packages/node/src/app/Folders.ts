import { Effect, Layer } from "effect"
import { KinoraConfig } from "../platform/config/Config.ts"
import { missingFeatureOf } from "../platform/config/WithoutReader.ts"
import { lockFolder } from "../platform/folders/FolderLock.ts"
import { restoreFinished } from "../platform/folders/RestoreFinished.ts"
import { usableFolder } from "../platform/folders/UsableFolder.ts"

/** Every folder something is written to exists and can be written, and holds a whole instance: said before anything else is tried. */
export const UsableFolders = Layer.effectDiscard(
  Effect.gen(function* () {
    const { derived, storage } = yield* KinoraConfig
    const used = Object.entries(storage).flatMap(([name, folder]) =>
      missingFeatureOf(`storage.${name}`) === undefined ? [folder] : []
    )
    for (const folder of new Set([derived.dataDir, ...used])) yield* usableFolder(folder)
    yield* restoreFinished(derived.dataDir)
  })
)

/** The work folder, which is emptied at start, belongs to this process alone. */
export const WorkFolderLock = Layer.effectDiscard(
  Effect.flatMap(KinoraConfig, ({ storage }) => lockFolder(storage.tmp))
)
