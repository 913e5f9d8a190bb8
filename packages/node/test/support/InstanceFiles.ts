import { readdirSync } from "node:fs"
import { join } from "node:path"

const notOfInstance = /^(postgres|database|pg|logs|cache|backups)/

/**
 * Every file of an instance by its path below `dataDir`, without the database's own and the logs. A running program may
 * remove a folder during the walk, which then begins again.
 */
export const instanceFiles = (dataDir: string): ReadonlyArray<string> => {
  for (let tries = 1; ; tries++) {
    try {
      return readdirSync(dataDir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(dataDir.length + 1))
        .filter((name) => !notOfInstance.test(name))
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ENOENT" || tries === 20) throw cause
    }
  }
}
