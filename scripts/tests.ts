/**
 * Runs vitest and judges the run (docs/testing.md). `node scripts/tests.ts SUMMARY [--project=NAME…] [ARGUMENT…]`: writes the
 * summary of what failed to the file SUMMARY and exits with 1 when the run failed. Every argument goes to vitest; a file that
 * runs again runs in the same projects.
 */
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { hasFailed, judge, type Report, type Run, summary, type UnhandledError } from "./lib/TestReport.ts"
import { unhandledPath } from "./lib/UnhandledErrors.ts"

const root = dirname(import.meta.dirname)
const reportPath = join(root, ".cache/test-report.json")
const errorsPath = join(root, ".cache/test-errors.json")
const [summaryPath = "", ...words] = process.argv.slice(2)

/** A file that vitest wrote; absent when it ended before. */
const written = <A>(path: string): A | undefined =>
  existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as A) : undefined

const vitest = (args: ReadonlyArray<string>): Promise<Run> => {
  for (const path of [reportPath, errorsPath]) rmSync(path, { force: true })
  const reporters = ["default", "json", "./scripts/lib/UnhandledErrors.ts"].map((name) => `--reporter=${name}`)
  const child = spawn(
    join(root, "node_modules/.bin/vitest"),
    ["run", ...args, ...reporters, `--outputFile.json=${reportPath}`],
    { cwd: root, stdio: "inherit", env: { ...process.env, [unhandledPath]: errorsPath } }
  )
  return new Promise((done, fail) => {
    child.on("error", fail)
    child.on("close", (code) =>
      done({
        exitCode: code ?? 1,
        report: written<Report>(reportPath),
        unhandled: written<ReadonlyArray<UnhandledError>>(errorsPath) ?? []
      })
    )
  })
}

mkdirSync(dirname(reportPath), { recursive: true })
const verdict = await judge(await vitest(words), root, (path) => {
  console.log(`Running ${path} again, alone.`)
  return vitest([...words.filter((word) => word.startsWith("--project=")), join(root, path), "--maxWorkers=1"])
})
writeFileSync(
  summaryPath,
  summary(verdict)
    .map((line) => `${line}\n`)
    .join("")
)
process.exitCode = hasFailed(verdict) ? 1 : 0
