import { Effect, Layer } from "effect"
import { KinoraConfig } from "../platform/config/Config.ts"
import { lockFolder } from "../platform/folders/FolderLock.ts"
import { usableFolder } from "../platform/folders/UsableFolder.ts"

/** Every folder something is written to exists and can be written: said before anything else is tried. */
export const UsableFolders = Layer.effectDiscard(
  Effect.gen(function* () {
    const { derived, storage } = yield* KinoraConfig
    const { cache: _cache, client_overrides: _overrides, plugins: _plugins, previews: _previews, ...used } = storage
    for (const folder of new Set([derived.dataDir, ...Object.values(used)])) yield* usableFolder(folder)
  })
)

/** The work folder, which is emptied at start, belongs to this process alone. */
export const WorkFolderLock = Layer.effectDiscard(
  Effect.flatMap(KinoraConfig, ({ storage }) => lockFolder(storage.tmp))
)
