import { readdirSync } from "node:fs"
import { join } from "node:path"

/**
 * Every file below a folder by its path in it, in the order of their names. A running program may remove a folder during the
 * walk, which then begins again.
 */
export const filesBelow = (folder: string): ReadonlyArray<string> => {
  for (let tries = 1; ; tries++) {
    try {
      return readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .toSorted()
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ENOENT" || tries === 20) throw cause
    }
  }
}

/** The database's own, the logs, and what a node is known by. */
const notOfInstance = /^(postgres|database|pg|logs|cache|backups|tmp\/node-id$|tmp\/node\.lock$)/

/** Every file of an instance by its path below `dataDir`, without the database's own and the logs. */
export const instanceFiles = (dataDir: string): ReadonlyArray<string> =>
  filesBelow(dataDir).filter((name) => !notOfInstance.test(name))
