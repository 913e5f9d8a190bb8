/**
 * Holds the rules of `packages/storage/sql` (docs/decisions/schema-files.md): files that were applied elsewhere never
 * change, each function, view and trigger stands once, and all are written alike.
 *
 * `node scripts/sql.ts` exits with 1 when a rule is broken; `--record` adds the checksums of new frozen files.
 */
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { readSqlFolder } from "../packages/storage/src/platform/migrations/SqlFolder.ts"
import { isFrozen, violations } from "./lib/SqlRules.ts"

const folder = join(dirname(import.meta.dirname), "packages/storage/sql")
/** In the form of `sha256sum`: `sha256sum --check checksums.txt` reads it. */
const list = join(folder, "checksums.txt")

const checksum = (text: string): string => createHash("sha256").update(text).digest("hex")

const readChecksums = (): ReadonlyMap<string, string> =>
  new Map(
    (existsSync(list) ? readFileSync(list, "utf8") : "")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(66), line.slice(0, 64)] as const)
  )

const files = new Map(readSqlFolder(folder).map(({ path, text }) => [path, text] as const))
if (process.argv.includes("--record")) {
  const recorded = readChecksums()
  const added = [...files].filter(([path]) => isFrozen(path) && !recorded.has(path))
  const lines = [...recorded, ...added.map(([path, text]) => [path, checksum(text)] as const)]
  writeFileSync(list, lines.map(([path, sum]) => `${sum}  ${path}\n`).join(""))
  for (const [path] of added) console.log(`recorded ${path}`)
}
const broken = violations(files, readChecksums(), checksum)
for (const violation of broken) console.error(`packages/storage/sql/${violation}`)
console.log(`sql: ${files.size} files, ${broken.length} rules broken`)
process.exitCode = broken.length === 0 ? 0 : 1
