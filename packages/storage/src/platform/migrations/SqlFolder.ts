import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** A file of `packages/storage/sql`: its path from there, with slashes, and its text. */
export interface SqlFile {
  readonly path: string
  readonly text: string
}

/** Every `.sql` file below a folder, in the order of their paths. */
export const readSqlFolder = (folder: string): ReadonlyArray<SqlFile> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".sql"))
    .map((path) => ({ path: path.replaceAll("\\", "/"), text: readFileSync(join(folder, path), "utf8") }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
