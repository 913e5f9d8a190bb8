/**
 * Writes what follows from the configuration keys: docs/configuration.md and nix/options.nix.
 *
 * `node scripts/reference.ts` writes both; `--check` exits with 1 when one of them is not what would be written.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { flatKeys, shortForms } from "../packages/node/src/platform/config/Keys.ts"
import { markdown, nixOptions } from "./lib/Reference.ts"

const root = dirname(import.meta.dirname)
const checking = process.argv.includes("--check")
const outputs: ReadonlyArray<readonly [path: string, content: string]> = [
  ["docs/configuration.md", markdown(flatKeys, shortForms)],
  ["nix/options.nix", nixOptions(flatKeys)]
]

for (const [path, content] of outputs) {
  const file = join(root, path)
  const current = existsSync(file) ? readFileSync(file, "utf8") : undefined
  if (current === content) continue
  if (checking) {
    console.error(`${path} is out of date: run node scripts/reference.ts`)
    process.exitCode = 1
  } else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    console.log(`wrote ${path}`)
  }
}
