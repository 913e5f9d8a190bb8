import { writeFileSync } from "node:fs"
import type { Reporter } from "vitest/node"
import type { UnhandledError } from "./TestReport.ts"

/** Where the reporter writes, by the environment of vitest. */
export const unhandledPath = "VITEST_UNHANDLED_ERRORS"

/** Writes down what vitest's JSON report lacks: errors outside of tests, which fail a run too. */
export default class UnhandledErrors implements Reporter {
  onTestRunEnd: NonNullable<Reporter["onTestRunEnd"]> = (_files, errors) => {
    const found: ReadonlyArray<UnhandledError> = errors.map((error) => {
      const { VITEST_TEST_PATH: path } = error as { VITEST_TEST_PATH?: string }
      return { path, message: error.message }
    })
    writeFileSync(process.env[unhandledPath]!, JSON.stringify(found))
  }
}
