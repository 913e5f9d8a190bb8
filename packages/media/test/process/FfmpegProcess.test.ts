import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, FileSystem, Queue, Schedule, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { createServer } from "node:net"
import { ffmpegArguments } from "../../src/process/FfmpegCommand.ts"
import { FfmpegProcess, type Invocation } from "../../src/process/FfmpegProcess.ts"
import type { Progress } from "../../src/process/FfmpegProgress.ts"
import { Sandbox } from "../../src/process/Sandbox.ts"
import { Probe } from "../../src/probe/Probe.ts"
import { Clips, MediaTest } from "../support/MediaTest.ts"

const gibibyte = 1024 ** 3
const limits = { memory: 4 * gibibyte, fileSize: gibibyte }

const invocation = (args: ReadonlyArray<string>, more: Partial<Invocation> = {}): Invocation => ({
  tool: "ffmpeg",
  args,
  timeout: Duration.seconds(60),
  limits,
  ...more
})

/** An encode that would take minutes; `mark` makes it findable among the processes. */
const slow = (source: string, mark: string): ReadonlyArray<string> =>
  ffmpegArguments({
    inputs: [{ path: source, kind: "upload", options: ["-re", "-stream_loop", "100"] }],
    outputs: [{ path: "/dev/null", options: ["-metadata", `comment=${mark}`, "-f", "null"] }],
    reportEvery: 0.1
  })

/** A server that counts who comes. */
const listener = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; visits: number; readonly close: () => void }>((resume) => {
    const server = createServer((socket) => {
      state.visits++
      socket.destroy()
    })
    const state = { port: 0, visits: 0, close: () => server.close() }
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(Object.assign(state, { port: typeof address === "object" ? (address?.port ?? 0) : 0 })))
    })
  }),
  (state) => Effect.sync(state.close)
)

layer(MediaTest, { excludeTestServices: true })("FfmpegProcess", (it) => {
  const running = Effect.fnUntraced(function* (mark: string) {
    const fs = yield* FileSystem.FileSystem
    const ids = (yield* fs.readDirectory("/proc")).filter((name) => /^\d+$/.test(name))
    const lines = yield* Effect.forEach(ids, (id) =>
      Effect.orElseSucceed(fs.readFileString(`/proc/${id}/cmdline`), () => "")
    )
    return lines.filter((line) => line.includes(mark)).length
  })

  it.effect("reports progress that never goes back and ends at 1", () =>
    Effect.gen(function* () {
      const source = yield* (yield* Clips).clip("plain.mp4")
      const args = ffmpegArguments({
        inputs: [{ path: source, kind: "upload" }],
        outputs: [{ path: "/dev/null", options: ["-c:v", "libx264", "-preset", "medium", "-f", "null"] }],
        reportEvery: 0.1
      })
      const ffmpeg = yield* FfmpegProcess
      const reports = yield* Stream.runCollect(ffmpeg.progress(invocation(args), 6))
      assert.isAbove(reports.length, 1)
      assert.strictEqual(reports.at(-1)?.fraction, 1)
      assert.strictEqual(reports.at(-1)?.frame, 180)
      for (const [index, report] of reports.entries()) {
        assert.isAtLeast(report.fraction, reports[index - 1]?.fraction ?? 0)
      }
    })
  )

  it.effect("leaves no process behind when interrupted", () =>
    Effect.gen(function* () {
      const mark = "kinora-interrupt-test"
      const source = yield* (yield* Clips).clip("plain.mp4")
      const ffmpeg = yield* FfmpegProcess
      const seen = yield* Queue.unbounded<Progress>()
      const fiber = yield* ffmpeg.progress(invocation(slow(source, mark)), 600).pipe(
        Stream.runForEach((report) => Queue.offer(seen, report)),
        Effect.forkChild
      )
      yield* Queue.take(seen)
      assert.isAbove(yield* running(mark), 0)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* running(mark), 0)
    })
  )

  it.effect("takes its children along when the node is killed", () =>
    Effect.gen(function* () {
      const mark = "kinora-kill-test"
      const source = yield* (yield* Clips).clip("plain.mp4")
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const script = new URL("../support/encodeForever.ts", import.meta.url).pathname
      const node = yield* spawner.spawn(ChildProcess.make(process.execPath, [script, source, mark]))
      yield* Stream.runHead(node.stdout)
      const encoders = yield* running(`comment=${mark}`)
      assert.isAbove(encoders, 0)
      yield* node.kill({ killSignal: "SIGKILL" })
      const sandbox = yield* Sandbox
      if (!sandbox.powers.endsWithParent) return assert.isNotEmpty(sandbox.powers.notes)
      yield* running(`comment=${mark}`).pipe(
        Effect.filterOrFail((count) => count === 0),
        Effect.retry(Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(100)]))
      )
    })
  )

  it.effect("ends what takes too long with a typed error", () =>
    Effect.gen(function* () {
      const mark = "kinora-timeout-test"
      const source = yield* (yield* Clips).clip("plain.mp4")
      const ffmpeg = yield* FfmpegProcess
      const late = invocation(slow(source, mark), { timeout: Duration.millis(500) })
      const error = yield* Effect.flip(Stream.runDrain(ffmpeg.progress(late, 600)))
      assert.deepInclude(error, { _tag: "FfmpegFailed", reason: "timeout" })
      yield* running(mark).pipe(
        Effect.filterOrFail((count) => count === 0),
        Effect.retry(Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(100)]))
      )
    })
  )

  it.effect("tells the last lines of what went wrong, bounded", () =>
    Effect.gen(function* () {
      const ffmpeg = yield* FfmpegProcess
      const args = ffmpegArguments({
        inputs: [{ path: "/nonexistent.mp4", kind: "upload" }],
        outputs: [{ path: "/dev/null", options: ["-f", "null"] }]
      })
      const error = yield* Effect.flip(Stream.runDrain(ffmpeg.progress(invocation(args), 1)))
      assert.deepInclude(error, { _tag: "FfmpegFailed", reason: "exit" })
      assert.include(error.message, "No such file")
      assert.isAtMost(error._tag === "FfmpegFailed" ? error.stderr.length : 0, 40)
    })
  )

  it.effect("gives up on a tool that says too much", () =>
    Effect.gen(function* () {
      const ffmpeg = yield* FfmpegProcess
      const error = yield* Effect.flip(ffmpeg.output(invocation(["-hide_banner", "-filters"]), 100))
      assert.deepInclude(error, { _tag: "FfmpegFailed", reason: "output" })
    })
  )

  it.effect("holds children to their memory", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox
      const ffmpeg = yield* FfmpegProcess
      const small = invocation(["-version"], { limits: { memory: 32 * 1024 ** 2, fileSize: 0 } })
      const exit = yield* Effect.exit(ffmpeg.output(small, 100_000))
      assert.strictEqual(Exit.isFailure(exit), sandbox.powers.limits)
    })
  )

  it.effect("lets everything else go first when it works in the background, and only then", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const sandbox = yield* Sandbox
      const ffmpeg = yield* FfmpegProcess
      const source = yield* (yield* Clips).clip("plain.mp4")
      const niceness = Effect.fnUntraced(function* (background: boolean) {
        const mark = `kinora-priority-${background}`
        const started = yield* Queue.unbounded<void>()
        const encode = ffmpeg
          .progress(invocation(slow(source, mark), { limits: { ...limits, background } }), 600)
          .pipe(Stream.runForEach(() => Queue.offer(started, undefined)))
        const fiber = yield* Effect.forkChild(encode)
        yield* Queue.take(started)
        const found: Array<number> = []
        for (const id of (yield* fs.readDirectory("/proc")).filter((name) => /^\d+$/.test(name))) {
          const line = yield* Effect.orElseSucceed(fs.readFileString(`/proc/${id}/cmdline`), () => "")
          if (!line.includes(mark)) continue
          const stat = yield* fs.readFileString(`/proc/${id}/stat`)
          found.push(Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]))
        }
        yield* Fiber.interrupt(fiber)
        return found
      })
      const [usual] = yield* niceness(false)
      assert.isDefined(usual)
      const background = yield* niceness(true)
      assert.deepStrictEqual(background, [sandbox.powers.priorities ? Math.min(19, usual! + 10) : usual!])
      if (!sandbox.powers.priorities) assert.isNotEmpty(sandbox.powers.notes)
    })
  )

  it.effect("cannot be led to the network by a playlist", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const server = yield* listener
      const folder = yield* (yield* Clips).folder
      const url = `http://127.0.0.1:${server.port}/x.ts`
      const probe = yield* Probe
      for (const [name, text] of [
        ["a.mp4", `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${url}\n#EXT-X-ENDLIST\n`],
        ["a.m3u8", `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${url}\n#EXT-X-ENDLIST\n`],
        ["b.mp4", `ffconcat version 1.0\nfile ${url}\n`],
        ["c.mpd", `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><BaseURL>${url}</BaseURL></MPD>`]
      ] as const) {
        yield* fs.writeFileString(`${folder}/${name}`, text)
        const error = yield* Effect.flip(probe.probe(`${folder}/${name}`))
        assert.strictEqual(error._tag, "ProbeFailed")
      }
      assert.strictEqual(server.visits, 0)
    })
  )

  it.effect("has no network even when asked for it outright", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox
      const server = yield* listener
      const ffmpeg = yield* FfmpegProcess
      const open = ["-nostdin", "-v", "error", "-i", `http://127.0.0.1:${server.port}/x.mp4`, "-f", "null", "-"]
      const exit = yield* Effect.exit(ffmpeg.output(invocation(open), 1000))
      assert.isTrue(Exit.isFailure(exit))
      // Where the machine lets us take the network away, nobody may have come; elsewhere the report must say so.
      if (sandbox.powers.network === "none") assert.strictEqual(server.visits, 0)
      else assert.isNotEmpty(sandbox.powers.notes)
    })
  )
})
