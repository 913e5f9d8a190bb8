import { assert, describe, it } from "vitest"
import { hasFailed, judge, type Report, type Run, summary } from "../TestReport.ts"

const root = "/repository"

const file = (
  name: string,
  failures: Readonly<Record<string, string>> = {},
  message = ""
): Report["testResults"][0] => ({
  name: `${root}/${name}`,
  message,
  status: message === "" && Object.keys(failures).length === 0 ? "passed" : "failed",
  assertionResults: [
    { fullName: "suite passes", status: "passed", failureMessages: [] },
    ...Object.entries(failures).map(([fullName, text]) => ({
      fullName,
      status: "failed",
      failureMessages: [text]
    }))
  ]
})

const run = (...testResults: ReadonlyArray<Report["testResults"][0]>): Run => ({
  exitCode: testResults.some(({ status }) => status === "failed") ? 1 : 0,
  report: { testResults },
  unhandled: []
})

const dead: Run = { exitCode: 137, report: undefined, unhandled: [] }

const red = `${String.fromCharCode(27)}[31m`

/** Judges a first run whose files give these runs when they run again; gives also what ran again, in order. */
const judged = async (first: Run, again: Readonly<Record<string, Run>> = {}) => {
  const ran: Array<string> = []
  const verdict = await judge(first, root, async (path) => {
    ran.push(path)
    return again[path]!
  })
  return { verdict, ran, failed: hasFailed(verdict), lines: summary(verdict) }
}

describe("judging a run", () => {
  it("passes what passed, and runs nothing again", async () => {
    const { failed, lines, ran } = await judged(run(file("a.test.ts"), file("b.test.ts")))
    assert.deepStrictEqual({ failed, lines, ran }, { failed: false, lines: [], ran: [] })
  })

  it("names a file that passes the second time with its first failure, and passes", async () => {
    const first = run(
      file("a.test.ts"),
      file("b.test.ts", { "suite waits": `${red}Error: too late\n    at b.test.ts:3` })
    )
    const { failed, lines, ran } = await judged(first, { "b.test.ts": run(file("b.test.ts")) })
    assert.deepStrictEqual(ran, ["b.test.ts"])
    assert.deepStrictEqual(lines, ["FLAKY b.test.ts", "  suite waits: Error: too late"])
    assert.isFalse(failed)
  })

  it("fails by a file that fails twice, which it names last", async () => {
    const first = run(
      file("a.test.ts", { "suite one": "Error: one" }),
      file("b.test.ts", { "suite two": "Error: two" })
    )
    const { failed, lines } = await judged(first, {
      "a.test.ts": run(file("a.test.ts", { "suite one": "Error: one again", "suite three": "Error: three" })),
      "b.test.ts": run(file("b.test.ts"))
    })
    assert.isTrue(failed)
    assert.deepStrictEqual(lines, [
      "FLAKY b.test.ts",
      "  suite two: Error: two",
      "FAILED a.test.ts",
      "  suite one: Error: one again",
      "  suite three: Error: three"
    ])
  })

  it("runs nothing again when more than three files failed", async () => {
    const names = ["a", "b", "c", "d"].map((name) => `${name}.test.ts`)
    const { failed, lines, ran } = await judged(run(...names.map((name) => file(name, { "a test": "Error: no" }))))
    assert.isTrue(failed)
    assert.deepStrictEqual(ran, [])
    assert.deepStrictEqual(
      lines.filter((line) => line.startsWith("FAILED")),
      names.map((name) => `FAILED ${name}`)
    )
  })

  it("counts a file that fails outside of its tests", async () => {
    const broken = file("a.test.ts", {}, "Cannot find module 'x'\nfrom a.test.ts")
    const { failed, lines } = await judged(run(broken), { "a.test.ts": run(broken) })
    assert.isTrue(failed)
    assert.deepStrictEqual(lines, ["FAILED a.test.ts", "  the file itself: Cannot find module 'x'"])
  })

  it("keeps the first failure when the second run ends without a report", async () => {
    const first = run(file("a.test.ts", { "suite one": "Error: one" }))
    const { lines } = await judged(first, { "a.test.ts": dead })
    assert.deepStrictEqual(lines, ["FAILED a.test.ts", "  suite one: Error: one"])
  })

  it("counts an error outside of tests to the file that ran", async () => {
    const first: Run = {
      ...run(file("a.test.ts"), file("b.test.ts", { "suite one": "Error: one" })),
      exitCode: 1,
      unhandled: [{ path: `${root}/a.test.ts`, message: "read ECONNRESET" }]
    }
    const { failed, lines } = await judged(first, {
      "a.test.ts": run(file("a.test.ts")),
      "b.test.ts": run(file("b.test.ts"))
    })
    assert.isFalse(failed)
    assert.sameDeepMembers(
      [...lines],
      [...["FLAKY a.test.ts", "  outside of tests: read ECONNRESET"], ...["FLAKY b.test.ts", "  suite one: Error: one"]]
    )
  })

  it("fails by what belongs to no file, and when there is no report", async () => {
    const passed = run(file("a.test.ts"))
    for (const [first, line] of [
      [{ ...passed, exitCode: 1, unhandled: [{ message: "no memory" }] }, "an error outside of tests: no memory"],
      [{ ...passed, exitCode: 1 }, "vitest ended with exit code 1: see above"],
      [dead, "vitest ended with exit code 137 and without a report"]
    ] as const) {
      const { failed, lines } = await judged(first)
      assert.deepStrictEqual({ failed, lines }, { failed: true, lines: [`FAILED ${line}`] })
    }
  })
})
