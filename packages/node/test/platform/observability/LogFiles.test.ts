import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { readLogFiles } from "../../../src/platform/observability/LogFiles.ts"

const moment = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1000)
const line = (n: number, message: unknown = `line ${n}`) =>
  JSON.stringify({
    message,
    level: "INFO",
    timestamp: moment(n).toISOString(),
    annotations: {},
    spans: {},
    fiberId: "#1"
  })

const everything = { bytes: 1024 ** 3, lines: 1e9 }
const all = () => true

/** Files of the numbers of their lines, the newest first. */
const folderOf = Effect.fnUntraced(function* (files: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "kinora-logs-" })
  for (const [age, content] of files.entries()) {
    yield* fs.writeFileString(`${folder}/kinora${age === 0 ? "" : `.${age}`}.log`, content)
  }
  return { folder, name: "kinora", maxFiles: 20 }
})

const numbered = (from: number, to: number, length = 0) =>
  Array.from({ length: to - from }, (_, n) => `${line(from + n, `line ${from + n} ${"é".repeat(length)}`)}\n`).join("")

const numbersOf = (lines: ReadonlyArray<{ readonly message: unknown }>) =>
  lines.map(({ message }) => Number(String(message).split(" ")[1]))

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)

it.layer(NodeServices.layer)("log files", (it) => {
  it.effect("are read from the end, across blocks and files, and given in their order", () =>
    Effect.gen(function* () {
      // Lines longer than a block, and of characters that a block may cut.
      const files = yield* folderOf([numbered(400, 500, 300), numbered(300, 400, 40_000), numbered(0, 300)])
      const whole = yield* readLogFiles(files, { from: undefined, to: undefined }, all, everything)
      assert.deepStrictEqual(numbersOf(whole), range(0, 500))
      const part = yield* readLogFiles(files, { from: moment(290), to: moment(410) }, all, everything)
      assert.deepStrictEqual(numbersOf(part), range(290, 411))
      const even = yield* readLogFiles(
        files,
        { from: moment(480), to: undefined },
        ({ message }) => Number(String(message).split(" ")[1]) % 2 === 0,
        everything
      )
      assert.deepStrictEqual(
        numbersOf(even),
        range(480, 500).filter((n) => n % 2 === 0)
      )
    })
  )

  it.effect("are read within bounds, the newest lines first", () =>
    Effect.gen(function* () {
      const files = yield* folderOf([numbered(1_000, 5_000), numbered(0, 1_000)])
      const span = { from: undefined, to: undefined }
      assert.deepStrictEqual(
        numbersOf(yield* readLogFiles(files, span, all, { ...everything, lines: 3 })),
        range(4_997, 5_000)
      )
      const few = yield* readLogFiles(files, span, all, { ...everything, bytes: 100_000 })
      assert.isAbove(few.length, 100)
      assert.isBelow(few.length, 2_000)
      assert.strictEqual(numbersOf(few).at(-1), 4_999)
    })
  )

  it.effect("may be empty, missing, cut off or full of other things", () =>
    Effect.gen(function* () {
      const span = { from: undefined, to: undefined }
      assert.deepStrictEqual(yield* readLogFiles(yield* folderOf([]), span, all, everything), [])
      assert.deepStrictEqual(yield* readLogFiles(yield* folderOf([""]), span, all, everything), [])
      const odd = [
        "not JSON",
        "{}",
        "[]",
        '{"message":1}',
        "\u0000",
        "x".repeat(3 * 1024 * 1024),
        line(7),
        line(8).slice(0, 40)
      ]
      const found = yield* readLogFiles(yield* folderOf([`${odd.join("\n")}`]), span, all, everything)
      assert.deepStrictEqual(numbersOf(found), [7])
    })
  )
})
