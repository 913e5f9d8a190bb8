import { fileURLToPath } from "node:url"
import { readSqlFolder, type SqlFile } from "./SqlFolder.ts"

/** The SQL of this program. A bundle has the texts in place of this module (scripts/lib/SqlTexts.ts). */
export const sqlFiles: ReadonlyArray<SqlFile> = readSqlFolder(fileURLToPath(new URL("../../../sql/", import.meta.url)))
