/**
 * Holds the rules of imports and files (docs/decisions/packages.md): who may import whom, what may be reached, no
 * circles, no barrels, no long files, no words that do not belong.
 *
 * `node scripts/boundaries.ts`; exits with 1 when a rule is broken.
 */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { lengths, violations } from "./lib/Boundaries.ts"

const root = dirname(import.meta.dirname)
const skipped = new Set(["node_modules", "dist", ".cache", ".git", "data"])
const binary = /\.(png|jpe?g|webp|avif|ico|woff2?|mp4|webm|mkv|mov|avi|gif|mp3|wav|flac|ogg)$/i

const files = (folder: string): Array<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? files(path) : entry.isFile() && !binary.test(entry.name) ? [path] : []
  })

const sources = new Map(
  files(root).map((path) => [relative(root, path).replaceAll("\\", "/"), readFileSync(path, "utf8")] as const)
)
const broken = violations(sources)
const { files: count, half, nineTenths } = lengths(sources)
for (const violation of broken) console.error(violation)
console.log(
  `boundaries: ${count} files, half within ${half} lines, nine tenths within ${nineTenths}, ${broken.length} rules broken`
)
process.exitCode = broken.length === 0 ? 0 : 1
