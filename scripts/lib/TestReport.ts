/** The part of vitest's JSON report that decides a run. */
export interface Report {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    /** Why the file itself failed: its imports, its hooks, its worker. */
    readonly message: string
    readonly assertionResults: ReadonlyArray<{
      readonly fullName: string
      readonly status: string
      readonly failureMessages: ReadonlyArray<string> | null
    }>
  }>
}

/** A failed test, or a whole file that failed outside of its tests. */
export interface Failure {
  readonly test: string
  /** First line of the message. */
  readonly message: string
}

/** A file with at least one failure. */
export interface FailedFile {
  readonly path: string
  readonly failures: ReadonlyArray<Failure>
}

/** An error outside of tests, and the file that ran, if vitest knows it. */
export interface UnhandledError {
  readonly path?: string | undefined
  readonly message: string
}

/** What one run of vitest gave. */
export interface Run {
  readonly exitCode: number
  /** Absent when vitest ended before it could write one. */
  readonly report: Report | undefined
  readonly unhandled: ReadonlyArray<UnhandledError>
}

/** What a whole run comes to. */
export interface Verdict {
  readonly failed: ReadonlyArray<FailedFile>
  /** Files that passed when they ran again, with their first failure. */
  readonly flaky: ReadonlyArray<FailedFile>
  /** Why the run fails although no file did. */
  readonly trouble: string | undefined
}

/** A run with more failed files than this is broken: nothing of it runs again. */
export const mostRunAgain = 3

// Colours of the terminal, which assertions put into their messages.
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g")

const firstLine = (text: string): string =>
  text
    .replaceAll(colours, "")
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "")
    ?.slice(0, 300) ?? "no message"

/** The files that failed, each with every failure in it. */
export const failedFiles = ({ report, unhandled }: Run, root: string): ReadonlyArray<FailedFile> => {
  const found = new Map<string, ReadonlyArray<Failure>>()
  const add = (name: string, failures: ReadonlyArray<Failure>) => {
    const path = name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name
    found.set(path, [...(found.get(path) ?? []), ...failures])
  }
  for (const { assertionResults, message, name, status } of report?.testResults ?? []) {
    if (status !== "failed") continue
    const tests = assertionResults.filter((it) => it.status === "failed")
    const failures = tests.map(({ failureMessages, fullName }) => ({
      test: fullName,
      message: firstLine(failureMessages?.[0] ?? message)
    }))
    add(name, failures.length > 0 ? failures : [{ test: "the file itself", message: firstLine(message) }])
  }
  for (const { message, path } of unhandled)
    if (path !== undefined) add(path, [{ test: "outside of tests", message: firstLine(message) }])
  return Array.from(found, ([path, failures]) => ({ path, failures }))
}

/** What fails a run and belongs to no file. */
const troubleOf = ({ exitCode, report, unhandled }: Run, failed: ReadonlyArray<FailedFile>): string | undefined => {
  if (report === undefined) return `vitest ended with exit code ${exitCode} and without a report`
  const nowhere = unhandled.find(({ path }) => path === undefined)
  if (nowhere !== undefined) return `an error outside of tests: ${firstLine(nowhere.message)}`
  return exitCode === 0 || failed.length > 0 ? undefined : `vitest ended with exit code ${exitCode}: see above`
}

/**
 * Judges a run. When at most three files failed, each of them runs once more by `runAlone`, one after the other; those that
 * pass then are flaky.
 */
export const judge = async (first: Run, root: string, runAlone: (path: string) => Promise<Run>): Promise<Verdict> => {
  const failedAtFirst = failedFiles(first, root)
  const trouble = troubleOf(first, failedAtFirst)
  if (failedAtFirst.length > mostRunAgain) return { failed: failedAtFirst, flaky: [], trouble }
  const failed: Array<FailedFile> = []
  const flaky: Array<FailedFile> = []
  for (const file of failedAtFirst) {
    const again = await runAlone(file.path)
    if (again.exitCode === 0 && again.report !== undefined) flaky.push(file)
    else failed.push(failedFiles(again, root)[0] ?? file)
  }
  return { failed, flaky, trouble }
}

const linesOf = (mark: string, { failures, path }: FailedFile): ReadonlyArray<string> => [
  `${mark} ${path}`,
  ...failures.map(({ message, test }) => `  ${test}: ${message}`)
]

/** What the end of a run says: the files that failed last, as continuous integration shows the end alone. */
export const summary = ({ failed, flaky, trouble }: Verdict): ReadonlyArray<string> => [
  ...flaky.flatMap((file) => linesOf("FLAKY", file)),
  ...failed.flatMap((file) => linesOf("FAILED", file)),
  ...(trouble === undefined ? [] : [`FAILED ${trouble}`])
]

/** Whether the run failed. A flaky file alone fails none. */
export const hasFailed = ({ failed, trouble }: Verdict): boolean => failed.length > 0 || trouble !== undefined
