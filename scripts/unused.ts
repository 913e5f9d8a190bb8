/**
 * Finds what the packages and the runner export in vain. Four rules:
 *
 * 1. A name that is exported is imported by another file. A type (interface, type alias, class) may also be there because
 *    another exported declaration of its file names it: who calls that one may need to write the type.
 * 2. The importing file is not a test. What only tests import is tested through what uses it, or named in `forTests` with
 *    the reason.
 * 3. Every file is reached by imports from an entry point: both `main.ts`, the browser's entries, build files and scripts.
 * 4. `forTests` names nothing that needs no exception.
 *
 * `node scripts/unused.ts`; exits with 1 when something is found.
 */
import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { unused } from "./lib/Unused.ts"

/** Exports for tests alone, and why. */
const forTests: Readonly<Record<string, string>> = {}

const root = dirname(import.meta.dirname)
const paths = globSync(["packages/*/{src,test}/**/*.ts", "packages/*/*.ts", "runner/**/*.ts", "scripts/**/*.ts"], {
  cwd: root,
  exclude: (path) => path === "node_modules" || path === "dist"
})
const sources = new Map(
  paths.map((path) => [path.replaceAll("\\", "/"), readFileSync(join(root, path), "utf8")] as const)
)
const { exports, onlyTests, files, exceptions } = unused(sources, new Set(Object.keys(forTests)))
const found = [...exports, ...onlyTests, ...files, ...exceptions]
for (const line of found) console.error(line)
console.log(
  `unused: ${sources.size} files, ${exports.length} exports unused, ${onlyTests.length} used by tests alone, ${files.length} files unreached`
)
process.exitCode = found.length === 0 ? 0 : 1
