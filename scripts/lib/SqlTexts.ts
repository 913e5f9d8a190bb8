import { dirname, join } from "node:path"
import type { Plugin } from "esbuild"
import { readSqlFolder } from "../../packages/storage/src/platform/migrations/SqlFolder.ts"

/** Has the bundle the texts of `packages/storage/sql` in place of the module that reads them from disk. */
export const sqlTexts: Plugin = {
  name: "sql-texts",
  setup(build) {
    build.onLoad({ filter: /[\\/]storage[\\/]src[\\/]platform[\\/]migrations[\\/]SqlFiles\.ts$/ }, ({ path }) => ({
      contents: `export const sqlFiles = ${JSON.stringify(readSqlFolder(join(dirname(path), "../../../sql")))}`,
      loader: "js"
    }))
  }
}
