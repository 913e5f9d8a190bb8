import { holdsInstance } from "@kinora/storage/instance/backup/DatabaseRestore"
import { Data, Effect } from "effect"
import { KinoraConfig } from "../platform/config/Config.ts"
import { existingFile } from "../platform/folders/ExistingData.ts"

/** The database is not that of the files that are there. `message` says what to do. */
export class ForeignDatabase extends Data.TaggedError("ForeignDatabase")<{ readonly message: string }> {}

/**
 * Refuses a database without an instance beside files of one, as a wrong `DATABASE_URL` leads to: a new instance would know none of
 * these files, and remove them as orphans.
 */
export const knownDatabase = Effect.gen(function* () {
  if (yield* holdsInstance()) return
  const found = yield* existingFile(yield* KinoraConfig)
  if (found === undefined) return
  return yield* new ForeignDatabase({
    message:
      `The database holds no instance, but ${found} shows that one was kept here. Nothing was changed. Check DATABASE_URL, or ` +
      "restore a backup into empty folders. To begin a new instance, set KINORA_DATA_DIR to an empty folder."
  })
})
