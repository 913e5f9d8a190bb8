import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServer from "effect/http/HttpServer"
import { randomBytes } from "node:crypto"
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { answer } from "../../../src/platform/http/Answer.ts"
import { ByteServing, cachePolicies } from "../../../src/platform/http/ByteServing.ts"
import { parseRange } from "../../../src/platform/http/ByteRanges.ts"
import { ask, layerTestServer, portOf, until } from "./TestServer.ts"

const folder = mkdtempSync(join(tmpdir(), "kinora-bytes-"))
const content = randomBytes(1_000_000)
const file = (name: string, bytes: Buffer | string) => writeFileSync(join(folder, name), bytes)
file("video.mp4", content)
file("large.bin", randomBytes(48 * 1024 * 1024))
file("empty.txt", "")
symlinkSync("/etc/passwd", join(folder, "link.txt"))

const routes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const bytes = yield* ByteServing
    for (const [prefix, cacheControl] of [
      ["static", cachePolicies.immutable],
      ["private", cachePolicies.private]
    ] as const) {
      yield* router.add("GET", `/${prefix}/files/:name`, (request) =>
        answer(
          bytes.serve(request, {
            path: join(folder, request.url.split("/")[3] ?? ""),
            contentType: "video/mp4",
            cacheControl
          })
        )
      )
    }
  })
)

const server = layerTestServer({}, routes).pipe(Layer.provideMerge(ByteServing.layer)) as Layer.Layer<
  HttpServer.HttpServer | ByteServing
>

const get = (range: string, headers?: Record<string, string>) =>
  ask("/static/files/video.mp4", { headers: { range, ...headers } })

const minuteBefore = (date: string) => new Date(Date.parse(date) - 60_000).toUTCString()

layer(server)("static bytes", (it) => {
  it.effect("serves a whole file for good", () =>
    Effect.gen(function* () {
      const answer = yield* ask("/static/files/video.mp4")
      assert.strictEqual(answer.status, 200)
      assert.isTrue(answer.bytes.equals(content))
      assert.strictEqual(answer.headers["content-type"], "video/mp4")
      assert.strictEqual(answer.headers["content-length"], "1000000")
      assert.strictEqual(answer.headers["accept-ranges"], "bytes")
      assert.strictEqual(answer.headers["cache-control"], "public, max-age=31536000, immutable")
      assert.strictEqual(answer.headers["access-control-allow-origin"], "*")
      assert.match(String(answer.headers["etag"]), /^"[^"]+"$/)
      const hidden = yield* ask("/private/files/video.mp4")
      assert.strictEqual(hidden.headers["cache-control"], "private, no-store")
    })
  )

  it.effect("serves single and suffix ranges", () =>
    Effect.gen(function* () {
      const cases = [
        ["bytes=0-0", 0, 0],
        ["bytes=10-19", 10, 19],
        ["bytes=999990-", 999_990, 999_999],
        ["bytes=999990-5000000", 999_990, 999_999],
        ["bytes=-5", 999_995, 999_999],
        ["bytes=-5000000", 0, 999_999],
        ["bytes=100000-799999", 100_000, 799_999]
      ] as const
      for (const [range, start, end] of cases) {
        const answer = yield* get(range)
        assert.strictEqual(answer.status, 206, range)
        assert.strictEqual(answer.headers["content-range"], `bytes ${start}-${end}/1000000`)
        assert.strictEqual(answer.headers["content-length"], String(end - start + 1))
        assert.isTrue(answer.bytes.equals(content.subarray(start, end + 1)), range)
      }
    })
  )

  it.effect("serves several ranges in parts", () =>
    Effect.gen(function* () {
      const answer = yield* get("bytes=0-4, 500000-500009,-3")
      assert.strictEqual(answer.status, 206)
      const boundary = /^multipart\/byteranges; boundary=(\w+)$/.exec(String(answer.headers["content-type"]))?.[1]
      assert.strictEqual(answer.headers["content-length"], String(answer.bytes.length))
      const parts = answer.bytes.toString("latin1").split(`--${boundary}`)
      assert.strictEqual(parts.length, 5)
      assert.strictEqual(parts[4], "--\r\n")
      const expected = [
        [0, 4],
        [500_000, 500_009],
        [999_997, 999_999]
      ] as const
      expected.forEach(([start, end], i) => {
        const part = parts[i + 1] as string
        assert.include(part, `Content-Range: bytes ${start}-${end}/1000000`)
        const body = part.slice(part.indexOf("\r\n\r\n") + 4, -2)
        assert.strictEqual(body, content.subarray(start, end + 1).toString("latin1"))
      })
    })
  )

  it.effect("never grows by what a client asks (UPL-18)", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 400 }, (_, i) => `${i * 2}-${i * 2}`).join(",")
      for (const range of [
        `bytes=${many}`,
        "bytes=0-,0-,0-",
        "bytes=0-100,50-150",
        "bytes=9-1",
        "bytes=a-b",
        "lines=1-2",
        "bytes=-"
      ]) {
        const answer = yield* get(range)
        assert.strictEqual(answer.status, 200, range.slice(0, 30))
        assert.strictEqual(answer.bytes.length, content.length)
      }
    })
  )

  it.effect("refuses ranges past the end", () =>
    Effect.gen(function* () {
      for (const range of ["bytes=1000000-", "bytes=99999999-", "bytes=-0"]) {
        const answer = yield* get(range)
        assert.strictEqual(answer.status, 416, range)
        assert.strictEqual(answer.headers["content-range"], "bytes */1000000")
        assert.strictEqual(answer.headers["content-type"], "application/problem+json; charset=utf-8")
        assert.strictEqual(answer.json.code, "RangeNotSatisfiableError")
      }
    })
  )

  it.effect("holds conditions", () =>
    Effect.gen(function* () {
      const first = yield* get("bytes=0-0")
      const etag = String(first.headers["etag"])
      const modified = String(first.headers["last-modified"])
      const before = minuteBefore(modified)
      const status = (headers: Record<string, string>) =>
        Effect.map(ask("/static/files/video.mp4", { headers }), (answer) => answer.status)
      assert.strictEqual(yield* status({ "if-none-match": etag }), 304)
      assert.strictEqual(yield* status({ "if-none-match": "*" }), 304)
      assert.strictEqual(yield* status({ "if-none-match": '"other"' }), 200)
      assert.strictEqual(yield* status({ "if-modified-since": modified }), 304)
      assert.strictEqual(yield* status({ "if-modified-since": before }), 200)
      assert.strictEqual(yield* status({ "if-none-match": '"other"', "if-modified-since": modified }), 200)
      assert.strictEqual(yield* status({ "if-match": etag }), 200)
      assert.strictEqual(yield* status({ "if-match": '"other"' }), 412)
      assert.strictEqual(yield* status({ "if-unmodified-since": before }), 412)
      assert.strictEqual(yield* status({ "if-unmodified-since": modified }), 200)
      assert.strictEqual(yield* status({ range: "bytes=0-0", "if-range": etag }), 206)
      assert.strictEqual(yield* status({ range: "bytes=0-0", "if-range": `W/${etag}` }), 200)
      assert.strictEqual(yield* status({ range: "bytes=0-0", "if-range": '"other"' }), 200)
      assert.strictEqual(yield* status({ range: "bytes=0-0", "if-range": modified }), 206)
      assert.strictEqual(yield* status({ range: "bytes=0-0", "if-range": before }), 200)
    })
  )

  it.effect("answers HEAD like GET without bytes", () =>
    Effect.gen(function* () {
      const head = yield* ask("/static/files/video.mp4", { method: "HEAD", headers: { range: "bytes=0-9" } })
      assert.strictEqual(head.status, 200)
      assert.strictEqual(head.headers["content-length"], "1000000")
      assert.strictEqual(head.bytes.length, 0)
    })
  )

  it.effect("finds nothing where there is no regular file", () =>
    Effect.gen(function* () {
      for (const name of ["absent.mp4", "link.txt", "."]) {
        assert.strictEqual((yield* ask(`/static/files/${name}`)).status, 404, name)
      }
      const empty = yield* ask("/static/files/empty.txt", { headers: { range: "bytes=0-" } })
      assert.strictEqual(empty.status, 416)
      const whole = yield* ask("/static/files/empty.txt")
      assert.strictEqual(whole.status, 200)
      assert.strictEqual(whole.headers["content-length"], "0")
    })
  )

  it.effect("forgets a removed file and sees a replaced one", () =>
    Effect.gen(function* () {
      const bytes = yield* ByteServing
      file("gone.bin", "first")
      assert.strictEqual((yield* ask("/static/files/gone.bin")).text, "first")
      file("next.bin", "second!")
      renameSync(join(folder, "next.bin"), join(folder, "gone.bin"))
      bytes.forget(join(folder, "gone.bin"))
      assert.strictEqual((yield* ask("/static/files/gone.bin")).text, "second!")
      rmSync(join(folder, "gone.bin"))
      bytes.forget(join(folder, "gone.bin"))
      assert.strictEqual((yield* ask("/static/files/gone.bin")).status, 404)
    })
  )

  it.effect("lets go of everything when clients go away", () =>
    Effect.gen(function* () {
      const bytes = yield* ByteServing
      const port = yield* portOf
      const leave = Effect.callback<void>((resume) => {
        const socket = connect(port, "127.0.0.1")
        socket.write("GET /static/files/large.bin HTTP/1.1\r\nHost: a\r\n\r\n")
        socket.once("data", () => {
          socket.destroy()
          resume(Effect.void)
        })
      })
      yield* Effect.all(
        Array.from({ length: 20 }, () => leave),
        { concurrency: "unbounded" }
      )
      yield* until(() => bytes.usage().buffers === 0)
      assert.strictEqual(bytes.usage().buffers, 0)
      const again = yield* ask("/static/files/large.bin", { headers: { range: "bytes=0-9" } })
      assert.strictEqual(again.bytes.length, 10)
    })
  )
})

describe("parseRange", () => {
  it("keeps to what the file has", () => {
    assert.deepStrictEqual(parseRange("bytes=0-9", 5), { _tag: "Ranges", ranges: [{ start: 0, end: 4 }] })
    assert.deepStrictEqual(parseRange("bytes=7-9,0-1", 5), { _tag: "Ranges", ranges: [{ start: 0, end: 1 }] })
    assert.deepStrictEqual(parseRange("bytes=5-", 5), { _tag: "Unsatisfiable" })
    assert.deepStrictEqual(parseRange("bytes=-1", 0), { _tag: "Unsatisfiable" })
    assert.deepStrictEqual(parseRange("bytes=99999999999999999999-", 5), { _tag: "Whole" })
  })
})
