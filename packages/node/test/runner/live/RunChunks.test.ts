import { assert, describe, it } from "@effect/vitest"
import type { LiveOutput } from "@kinora/media/live/LivePlan"
import type { ClosedSegment } from "@kinora/media/live/Segmenting"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import type { RunWork } from "../../../src/live/session/LiveRuns.ts"
import { StreamRelay } from "../../../src/live/session/StreamRelay.ts"
import { makeRunChunks } from "../../../src/runner/live/RunChunks.ts"

const output = (resolution: number): LiveOutput => ({
  resolution,
  width: 640,
  height: resolution,
  fps: 25,
  picture: "copy",
  codec: "h264",
  sound: "copy"
})

const run = Effect.fnUntraced(function* (reserveDisk = 0) {
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "kinora-chunks-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const work: RunWork = {
    info: { format: "flv", duration: 0, bitRate: 0, audio: [], video: undefined } as unknown as RunWork["info"],
    outputs: [output(720), output(240)],
    directory,
    prefix: "token-1",
    segmentSeconds: 2,
    lowLatency: false,
    threads: 0,
    video: { id: 1, uuid: "uuid" },
    token: "token",
    relay: new StreamRelay(),
    lost: []
  }
  const taken: Array<ClosedSegment> = []
  const chunks = yield* makeRunChunks(work, reserveDisk, (segment) => void taken.push(segment))
  const send = (name: string, options: { playlist?: string; content?: Uint8Array; version?: string } = {}) =>
    Effect.gen(function* () {
      const arriving = yield* chunks.arrive
      const put = Effect.fnUntraced(function* (field: string, bytes: Uint8Array) {
        const sink = yield* arriving.file(field)
        yield* sink.write(bytes)
        yield* sink.end
      })
      yield* put("payload[videoChunkFile]", options.content ?? Buffer.from(`G${name}`))
      if (options.playlist !== undefined) yield* put("payload[resolutionPlaylistFile]", Buffer.from(options.playlist))
      yield* arriving.finish(name, options.version)
    }).pipe(Effect.scoped)
  const names = () => taken.map(({ path, seconds }) => [basename(path), seconds])
  return { directory, chunks, send, names }
})

const list = (...entries: ReadonlyArray<readonly [string, number]>) =>
  `#EXTM3U\n${entries.map(([name, seconds]) => `#EXTINF:${seconds},\n${name}\n`).join("")}`

describe("segments of a runner", () => {
  it.effect("go into the recording under names of the node, with the lengths of the playlist", () =>
    Effect.gen(function* () {
      const { directory, names, send } = yield* run()
      const playlist = list(["0-000001.ts", 1.96], ["0-000002.ts", 2.04])
      yield* send("0-000002.ts", { playlist, version: "0.m3u8" })
      assert.deepStrictEqual(names(), [])
      yield* send("0-000001.ts", { playlist, version: "0.m3u8" })
      yield* send("1-000001.ts")
      // The runner did not receive the answer, and sends it again.
      yield* send("0-000001.ts", { playlist, content: Buffer.from("Gother") })
      assert.deepStrictEqual(names(), [
        ["token-1-720-000000.ts", 1.96],
        ["token-1-720-000001.ts", 2.04],
        ["token-1-240-000000.ts", 2]
      ])
      assert.sameMembers(
        readdirSync(directory),
        names().map(([name]) => name as string)
      )
      assert.strictEqual(readFileSync(join(directory, "token-1-720-000000.ts"), "utf8"), "G0-000001.ts")
    }).pipe(Effect.scoped)
  )

  it.effect("RUN-08: are refused with other names, contents and files, and leave nothing", () =>
    Effect.gen(function* () {
      const { chunks, directory, send } = yield* run()
      for (const name of ["../../x.ts", "2-000001.ts", "0-000001.mp4", "0-1.ts/../../x"]) {
        assert.strictEqual((yield* Effect.flip(send(name)))._tag, "InvalidParameters", name)
      }
      const html = send("0-000001.ts", { content: Buffer.from("<html>") })
      assert.strictEqual((yield* Effect.flip(html))._tag, "InvalidParameters")
      const mixed = send("0-000001.ts", { version: "1.m3u8" })
      assert.strictEqual((yield* Effect.flip(mixed))._tag, "InvalidParameters")
      const large = send("0-000001.ts", { content: Buffer.alloc(65 * 1024 * 1024, "G") })
      assert.strictEqual((yield* Effect.flip(large))._tag, "PayloadTooLarge")
      const long = send("0-000001.ts", { playlist: "#".repeat(2 * 1024 * 1024) })
      assert.strictEqual((yield* Effect.flip(long))._tag, "PayloadTooLarge")
      const other = Effect.scoped(Effect.flatMap(chunks.arrive, (arriving) => arriving.file("payload[other]")))
      assert.strictEqual((yield* Effect.flip(other))._tag, "InvalidParameters")
      assert.deepStrictEqual(readdirSync(directory), [])
    }).pipe(Effect.scoped)
  )

  it.effect("RUN-08: are refused when they are more than the time that has passed", () =>
    Effect.gen(function* () {
      const { names, send } = yield* run()
      let accepted = 0
      const next = Effect.suspend(() => send(`0-${String(accepted).padStart(6, "0")}.ts`))
      const all = Effect.forever(Effect.tap(next, () => Effect.sync(() => (accepted += 1))))
      assert.strictEqual((yield* Effect.flip(all))._tag, "InvalidParameters")
      assert.strictEqual(accepted, 60)
      yield* TestClock.adjust("10 seconds")
      yield* Effect.flip(all)
      assert.strictEqual(accepted, 65)
      assert.strictEqual(names().length, 65)
    }).pipe(Effect.scoped)
  )

  it.effect("are refused when the disk is nearly full", () =>
    Effect.gen(function* () {
      const { send } = yield* run(2 ** 60)
      assert.strictEqual((yield* Effect.flip(send("0-000001.ts")))._tag, "InsufficientStorage")
    }).pipe(Effect.scoped)
  )

  it.effect("that wait for earlier ones are used at the end", () =>
    Effect.gen(function* () {
      const { chunks, names, send } = yield* run()
      yield* send("0-000000.ts")
      yield* send("0-000002.ts")
      yield* send("0-000004.ts")
      yield* chunks.flush
      assert.deepStrictEqual(
        names().map(([name]) => name),
        ["token-1-720-000000.ts", "token-1-720-000001.ts", "token-1-720-000002.ts"]
      )
    }).pipe(Effect.scoped)
  )
})
