import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import { isTransient, type Malformed } from "../../src/fetch/FetchError.ts"
import { fetching, reason, until } from "./support/Fetching.ts"
import { origin, tcpServer } from "./support/Origin.ts"

const request = { types: ["application/json", "video/*"], maxBytes: 100_000 }
const zeros = Buffer.alloc(5_000_000)
const bombs: Readonly<Record<string, Buffer>> = {
  gzip: gzipSync(zeros),
  br: brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  deflate: deflateSync(zeros)
}

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "fetch-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const send = (response: ServerResponse, body: Buffer | string, headers: Record<string, string | number> = {}) =>
  response.writeHead(200, { "content-type": "application/json", ...headers }).end(body)

/** Writes without end, for as long as the other side takes it. */
const endless = (response: ServerResponse, chunk: Buffer) => {
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on("drain", more)
  more()
}

describe("bodies", () => {
  it.live("decodes what it asked for", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching()
      const text = JSON.stringify({ name: "é☃".repeat(5_000) })
      const encodings: Record<string, readonly [string, Buffer]> = {
        "/gzip": ["gzip", gzipSync(text)],
        "/x-gzip": ["identity, X-Gzip", gzipSync(text)],
        "/br": ["br", brotliCompressSync(text)],
        "/deflate": ["deflate", deflateSync(text)],
        "/raw": ["deflate", deflateRawSync(text)],
        "/identity": ["identity", Buffer.from(text)]
      }
      const host = yield* origin(({ url = "" }, response) => {
        const [encoding, body] = encodings[url] ?? ["", Buffer.from(text)]
        send(response, body, { "content-encoding": encoding })
      })
      for (const path of Object.keys(encodings)) {
        const found = yield* fetch.json(host.url(path), request)
        assert.deepStrictEqual(found.value, JSON.parse(text), path)
      }
      assert.strictEqual(host.seen[0]?.headers["accept-encoding"], "gzip, br, deflate")
      assert.strictEqual(host.connections().made, 1)
    }).pipe(Effect.scoped)
  )

  it.live("stops at the cap of decoded bytes (FET-09)", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching()
      const host = yield* origin(({ url = "" }, response) => {
        switch (url) {
          case "/length":
            return response.writeHead(200, { "content-type": "video/mp4", "content-length": 1e9 }).flushHeaders()
          case "/endless":
            response.writeHead(200, { "content-type": "video/mp4" })
            return endless(response, zeros.subarray(0, 10_000))
          case "/gzip":
          case "/br":
          case "/deflate":
            return send(response, bombs[url.slice(1)] ?? "", { "content-encoding": url.slice(1) })
          case "/nested":
            return send(response, gzipSync(gzipSync("{}")), { "content-encoding": "gzip, gzip" })
          case "/members":
            response.writeHead(200, { "content-type": "video/mp4", "content-encoding": "gzip" })
            return endless(response, Buffer.concat(Array<Buffer>(500).fill(gzipSync(""))))
          default:
            return send(response, "{}", { "content-encoding": "compress" })
        }
      })
      for (const path of ["/length", "/endless", "/gzip", "/br", "/deflate", "/members"]) {
        const failure = yield* reason(fetch.bytes(host.url(path), request))
        assert.deepInclude(failure, { _tag: "TooLarge", maxBytes: 100_000 }, path)
      }
      for (const path of ["/nested", "/unknown"]) {
        const failure = yield* reason(fetch.bytes(host.url(path), request))
        assert.deepInclude(failure, { _tag: "Malformed", what: "encoding" }, path)
      }
      // Exactly at the cap is within it.
      const most = yield* fetch.bytes(host.url("/gzip"), { ...request, maxBytes: zeros.length })
      assert.strictEqual(most.value.length, zeros.length)
      // The connections whose bodies were given up are closed.
      yield* until(() => host.connections().open <= 1)
    }).pipe(Effect.scoped)
  )

  it.live("takes a body that ends early, or is broken, for neither whole nor valid (FET-09)", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching()
      const host = yield* origin(({ url = "" }, response) => {
        response.on("error", () => {})
        if (url === "/gzip")
          return send(response, gzipSync("{}".repeat(99)).subarray(0, 15), { "content-encoding": "gzip" })
        if (url === "/lie") return send(response, "plain", { "content-encoding": "br" })
        const headers = { "content-type": "application/json", ...(url === "/short" ? { "content-length": 50 } : {}) }
        response.writeHead(200, headers).write("{}")
        return response.write(" ", () => response.destroy())
      })
      for (const path of ["/gzip", "/lie"]) {
        assert.deepInclude(yield* reason(fetch.json(host.url(path), request)), { what: "encoding" }, path)
      }
      for (const path of ["/short", "/chunked"]) {
        assert.strictEqual((yield* reason(fetch.json(host.url(path), request)))._tag, "Unreachable", path)
      }
    }).pipe(Effect.scoped)
  )

  it.live("refuses other types before it reads, and without a type (FET-11)", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching()
      const types = ["text/html", "image/svg+xml", "application/jsonp", "", "videos/mp4"]
      const host = yield* origin(({ url = "" }, response) => {
        const type = types[Number(url.slice(1))] ?? ""
        response.writeHead(200, type === "" ? {} : { "content-type": type })
        endless(response, Buffer.alloc(10_000))
      })
      for (const [i, type] of types.entries()) {
        assert.deepInclude(yield* reason(fetch.json(host.url(`/${i}`), request)), { _tag: "WrongType", type })
      }
    }).pipe(Effect.scoped)
  )

  it.live("fails for JSON that is none, as a fault of the object and not of the host (FET-17)", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching({ host: { failures: 1 } })
      const bodies: ReadonlyArray<readonly [body: Buffer | string, what: Malformed["what"], type?: string]> = [
        ["", "empty"],
        ["nope", "json"],
        ["{} {}", "json"],
        ["\ufeff{}", "json"],
        [Buffer.from("{}", "utf16le"), "json"],
        [Buffer.from("\ufeff{}", "utf16le"), "charset"],
        [Buffer.from([0x22, 0xff, 0x22]), "charset"],
        ["{}", "charset", "application/json; charset=utf-16"],
        ["[".repeat(99), "depth"],
        [`[${"1,".repeat(6_000)}1]`, "items"]
      ]
      const host = yield* origin(({ url = "" }, response) => {
        const [body = "", , type = "application/json"] = bodies[Number(url.slice(1))] ?? []
        send(response, body, { "content-type": type })
      })
      for (const [i, [, what]] of bodies.entries()) {
        const error = yield* Effect.flip(fetch.json(host.url(`/${i}`), request))
        assert.deepInclude(error.reason, { _tag: "Malformed", what }, String(i))
        assert.isFalse(isTransient(error))
      }
      const polluted = yield* origin((_, response) => send(response, '{"__proto__":{"admin":true}}'))
      yield* fetch.json(polluted.url("/"), request)
      assert.notProperty({}, "admin")
    }).pipe(Effect.scoped)
  )

  it.live("reads text in the charset it comes in", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching()
      const host = yield* origin(({ url = "" }, response) =>
        send(response, Buffer.from([0x63, 0x61, 0x66, 0xe9]), { "content-type": `text/vtt; charset=${url.slice(1)}` })
      )
      const vtt = { types: ["text/vtt"], maxBytes: 100 }
      assert.strictEqual((yield* fetch.text(host.url("/iso-8859-1"), vtt)).value, "café")
      assert.strictEqual((yield* fetch.text(host.url("/utf-8"), vtt)).value, "caf\ufffd")
      assert.deepInclude(yield* reason(fetch.text(host.url("/klingon"), vtt)), { what: "charset" })
    }).pipe(Effect.scoped)
  )

  it.live("writes a new file of our name, or none (FET-13)", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching()
      const home = yield* folder
      const host = yield* origin(({ url = "" }, response) => {
        const headers = { "content-type": "video/mp4", "content-disposition": 'attachment; filename="../../evil.sh"' }
        if (url === "/endless") {
          response.writeHead(200, headers)
          return endless(response, zeros.subarray(0, 10_000))
        }
        if (url === "/short") {
          response.writeHead(200, { ...headers, "content-length": 99 }).write("abc")
          return response.write("d", () => response.destroy())
        }
        return send(response, zeros.subarray(0, 90_000), { ...headers, "content-length": 90_000 })
      })
      const heard: Array<readonly [number, Option.Option<number>]> = []
      const found = yield* fetch.toFile(host.url("/whole"), join(home, "video"), {
        ...request,
        progress: (written, expected) => heard.push([written, expected])
      })
      assert.strictEqual(found.value, 90_000)
      assert.strictEqual(readFileSync(join(home, "video")).length, 90_000)
      assert.deepStrictEqual(heard.at(-1), [90_000, Option.some(90_000)])
      assert.strictEqual(host.seen[0]?.headers["accept-encoding"], "identity")

      for (const [path, tag] of [
        ["/endless", "TooLarge"],
        ["/short", "Unreachable"]
      ] as const) {
        const failure = yield* reason(fetch.toFile(host.url(path), join(home, "other"), request))
        assert.strictEqual(failure._tag, tag)
      }
      writeFileSync(join(home, "mine"), "kept")
      const exists = yield* reason(fetch.toFile(host.url("/whole"), join(home, "mine"), request))
      assert.deepInclude(exists, { _tag: "NotWritten", code: "EEXIST" })
      const nowhere = yield* reason(fetch.toFile(host.url("/whole"), join(home, "no", "where"), request))
      assert.deepInclude(nowhere, { _tag: "NotWritten", code: "ENOENT" })
      assert.strictEqual(readFileSync(join(home, "mine"), "utf8"), "kept")
      assert.deepStrictEqual(readdirSync(home).sort(), ["mine", "video"])
    }).pipe(Effect.scoped)
  )

  it.live("survives servers that do not speak HTTP", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching({ host: { failures: 99 } })
      for (const said of [
        "nonsense\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        `HTTP/1.1 200 OK\r\nX: ${"x".repeat(100_000)}\r\n\r\n`,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        ""
      ]) {
        const server = yield* tcpServer((socket) => socket.once("data", () => socket.end(said)))
        const failure = yield* reason(fetch.json(`http://127.0.0.1:${server.port}/`, request))
        assert.strictEqual(failure._tag, "Unreachable", said.slice(0, 40))
      }
    }).pipe(Effect.scoped)
  )
})
