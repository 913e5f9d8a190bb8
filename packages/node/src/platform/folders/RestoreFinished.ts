import { Effect } from "effect"
import { join } from "node:path"
import { exists } from "./Exists.ts"
import { FolderUnusable } from "./FolderUnusable.ts"

/** Where a restore keeps the list of the files it writes, as long as it has not finished. */
export const unfinishedRestore = (dataDir: string): string => join(dataDir, "unfinished-restore.jsonl")

/** Refuses a folder in which a restore ended half way: it holds a part of an instance. */
export const restoreFinished = Effect.fnUntraced(function* (dataDir: string) {
  if (!(yield* Effect.promise(() => exists(unfinishedRestore(dataDir))))) return
  return yield* new FolderUnusable({
    message:
      `A restore into ${dataDir} did not finish. Run \`kinora restore\` again: it removes what the former one has written ` +
      "and begins anew."
  })
})
