import { assert, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { jobLines, type Look, type ShownJob } from "../../src/cli/Bars.ts"
import { Board, readableLog } from "../../src/cli/Screen.ts"

const plain: Look = { columns: 100, colors: false, unicode: false }

const job = (more: Partial<ShownJob> = {}): ShownJob => ({
  ...{
    uuid: "2732f206-0539-45af-a82b-66098d1bc26b",
    type: "vod-hls-transcoding",
    origin: "https://videos.example.org"
  },
  ...{ phase: "download and encode", percent: 40, since: 0, ...more }
})

/** What is to be seen of a terminal: the lines that were written, with the cursor moved as it was told. */
const screen = (columns: number, rows = 10) => {
  const lines: Array<string> = [""]
  let row = 0
  const write = (text: string) => {
    // oxlint-disable-next-line no-control-regex -- the words of terminals
    for (const piece of text.match(/\u001b\[\d*[A-Za-z]|\r|\n|[^\u001b\r\n]+/g) ?? []) {
      const up = /^\u001b\[(\d+)A$/.exec(piece) // oxlint-disable-line no-control-regex
      if (up !== null) row -= Number(up[1])
      else if (piece === "\n") {
        row += 1
        lines[row] ??= ""
      } else if (piece.endsWith("0J")) {
        lines.splice(row)
        lines[row] = ""
      } else if (piece !== "\r") lines[row] += piece
    }
  }
  return { terminal: { columns, rows, write }, seen: () => lines.filter((line) => line !== "") }
}

it("draws bars of one width, no wider than the terminal", () => {
  const jobs = [job(), job({ type: "generate-video-storyboard", percent: 0 }), job({ phase: "upload", percent: 95 })]
  const lines = jobLines(jobs, 60_000, plain)
  assert.deepStrictEqual(lines, [
    "########-----------  40 %  2732f206  vod-hls-transcoding        encodes  1m, 1m 30s left",
    "-------------------   0 %  2732f206  generate-video-storyboard  begins   1m",
    "##################-  95 %  2732f206  vod-hls-transcoding        sends    1m"
  ])
  const wide = jobLines(jobs, 60_000, { ...plain, columns: 120 })
  assert.isTrue(wide.every((one) => one.endsWith("  videos.example.org")))
})

it("counts what has no room, and paints only where it may", () => {
  const jobs = [job(), job(), job()]
  assert.deepStrictEqual(jobLines(jobs, 0, plain, 2).slice(1), ["and 2 more"])
  for (const columns of [1, 5, 20, 80, 300]) {
    for (const line of jobLines(jobs, 60_000, { ...plain, columns })) assert.isBelow(line.length, Math.max(2, columns))
  }
  const [line] = jobLines([job()], 0, { columns: 80, colors: true, unicode: true })
  assert.match(line!, /^\u001b\[36m█+░+\u001b\[0m {2}40 %/) // oxlint-disable-line no-control-regex
})

it("takes a terminal that does not know its size for a usual one", () => {
  const { seen, terminal } = screen(0, 0)
  const board = new Board(terminal)
  assert.deepStrictEqual([board.columns, board.rows], [80, 24])
  board.show(["one", "two"])
  board.log("said")
  assert.deepStrictEqual(seen(), ["said", "one", "two"])
})

it("keeps lines below what is logged", () => {
  const { seen, terminal } = screen(40)
  const board = new Board(terminal)
  board.log("begun")
  board.show(["one", "two"])
  board.log("more")
  assert.deepStrictEqual(seen(), ["begun", "more", "one", "two"])
  board.show(["two"])
  assert.deepStrictEqual(seen(), ["begun", "more", "two"])
  board.show([])
  board.log("done")
  assert.deepStrictEqual(seen(), ["begun", "more", "done"])
  // Made narrower, a line takes two rows.
  const narrow = screen(40)
  const wrapped = new Board(narrow.terminal)
  wrapped.show(["x".repeat(30)])
  const words: Array<string> = []
  Object.assign(narrow.terminal, { columns: 20, write: (text: string) => words.push(text) })
  wrapped.log("said")
  assert.include(words[0], "\u001b[2A")
})

it.effect("logs what happened to which job", () =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const logger = Logger.map(readableLog({ colors: false }), (line) => void lines.push(line))
    yield* Effect.logWarning("The job is given back").pipe(
      Effect.annotateLogs({ job: job().uuid, type: job().type, server: job().origin, count: 2 }),
      Effect.provide(Logger.layer([logger]))
    )
    const about = "2732f206 vod-hls-transcoding https://videos.example.org count=2"
    assert.match(lines[0]!, /^\d\d:\d\d:\d\d /)
    assert.strictEqual(lines[0]!.slice(9), `The job is given back  ${about}`)
  })
)
