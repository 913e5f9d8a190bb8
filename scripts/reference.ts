/**
 * Writes what follows from the configuration keys: docs/configuration.md and nix/options.nix.
 *
 * `node scripts/reference.ts` writes both; `--check` exits with 1 when one of them is not what would be written, when a decision
 * page is not in order, or when a document refers to a file or heading that does not exist.
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { flatKeys, shortForms } from "../packages/node/src/platform/config/Keys.ts"
import { decisionProblems } from "./lib/Decisions.ts"
import { brokenReferences } from "./lib/DocumentLinks.ts"
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

if (checking) {
  const tree = {
    exists: (path: string) => existsSync(join(root, path)),
    read: (path: string) => readFileSync(join(root, path), "utf8")
  }
  const decisions = "docs/decisions"
  const documents = globSync(["*.md", "docs/*.md", `${decisions}/*.md`], { cwd: root }).toSorted()
  const pages = documents
    .filter((path) => dirname(path) === decisions)
    .map((path) => [basename(path), tree.read(path)] as const)
  const problems = [
    ...decisionProblems(decisions, new Map(pages)),
    ...documents.flatMap((path) => brokenReferences(path, tree.read(path), tree))
  ]
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
